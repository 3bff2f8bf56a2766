import { describe, expect, test } from 'vitest';
import { CallError, type CallState, noEffectOf } from '../../../../operator/runtime/ports/external-call.js';

const now = Date.parse('2030-01-01T00:00:00Z');

describe('the failure that an HTTP status means', () => {
  test.each<{ status: number; header?: string; is: object }>([
    { status: 400, is: { kind: 'terminal', mayHaveEffect: false } },
    { status: 401, is: { kind: 'unauthorized', mayHaveEffect: false } },
    { status: 403, is: { kind: 'unauthorized', mayHaveEffect: false } },
    { status: 408, is: { kind: 'retryable', mayHaveEffect: true } },
    { status: 409, is: { kind: 'terminal', mayHaveEffect: false } },
    { status: 429, header: '5', is: { kind: 'retryable', mayHaveEffect: false, retryAfter: 5_000 } },
    { status: 500, is: { kind: 'retryable', mayHaveEffect: true, retryAfter: undefined } },
    { status: 503, header: 'Tue, 01 Jan 2030 00:00:07 GMT', is: { kind: 'retryable', retryAfter: 7_000 } },
    { status: 503, header: 'Mon, 31 Dec 2029 00:00:00 GMT', is: { kind: 'retryable', retryAfter: undefined } },
    { status: 503, header: 'soon', is: { kind: 'retryable', retryAfter: undefined } },
  ])('R38 is $is for $status with Retry-After $header', ({ status, header, is }) => {
    expect(CallError.fromStatus(status, 'why', header, now)).toMatchObject({ message: 'why', ...is });
  });
});

describe('a condition reports a call without effect', () => {
  const sent = { state: 'sent', at: now + 90_000, count: 2, firstAt: now } as const;
  const text = 'sent 2 times since 2030-01-01T00:00:00Z, without effect: wanted 1, seen 2';
  test.each<{ told: string | undefined; when: string; call: CallState }>([
    { told: text, when: 'it was repeated', call: sent },
    { told: undefined, when: 'it was sent once', call: { ...sent, count: 1 } },
    { told: undefined, when: 'it is not rendered', call: { state: 'none' } },
    { told: undefined, when: 'it waits', call: { state: 'waiting', why: 'later' } },
    {
      told: undefined,
      when: 'it failed',
      call: { state: 'failed', kind: 'unreachable', why: 'away', since: now, count: 9, firstAt: now },
    },
  ])('R38 $told when $when', ({ told, call }) => {
    expect(noEffectOf(call, { wanted: '1', seen: '2' })).toBe(told);
    expect(noEffectOf(call)).toBe(told?.replace(': wanted 1, seen 2', ''));
  });
});
