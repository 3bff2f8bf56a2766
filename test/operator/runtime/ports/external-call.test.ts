import { describe, expect, test } from 'vitest';
import { CallError } from '../../../../operator/runtime/ports/external-call.js';

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
