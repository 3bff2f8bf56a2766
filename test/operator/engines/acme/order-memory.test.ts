import { describe, expect, it } from 'vitest';
import type { OrderRequest } from '../../../../operator/controllers/certificates/ports/acme.js';
import { OrderMemory } from '../../../../operator/engines/acme/order-memory.js';
import { ProblemError } from '../../../../operator/engines/acme/problems.js';

const account = { directory: 'https://acme.example.com/dir', account: 'https://acme.example.com/account/1' };
const url = 'https://acme.example.com/order/1';
type Creation = Extract<OrderRequest, { act: 'create' }>;
const creation = (of: Partial<Creation> = {}): Creation => ({
  ...{ ...account, act: 'create', id: 'a', names: ['a.example.com', 'b.example.com'] },
  ...of,
});

describe('the order of a purpose', () => {
  it.each([
    { of: 'the same purpose', question: creation(), known: url },
    { of: 'another attempt', question: creation({ id: 'b' }), known: undefined },
    { of: 'other names', question: creation({ names: ['a.example.com'] }), known: undefined },
    { of: 'a profile', question: creation({ profile: 'p' }), known: undefined },
    { of: 'another account', question: creation({ account: 'other' }), known: undefined },
  ])('is $known for $of', ({ question, known }) => {
    const memory = new OrderMemory();
    memory.created(creation(), url);
    expect(memory.urlOf(question)).toBe(known);
  });
});

describe('a refused order', () => {
  const minutes = (count: number) => count * 60_000;
  const limited = (retryAfter: string) =>
    ProblemError.fromResponse(
      { status: 429, text: '{"type":"urn:ietf:params:acme:error:rateLimited"}', retryAfter },
      0,
    );

  it.each([
    {
      of: 'the same names',
      request: creation({ names: ['b.example.com', 'a.example.com'] }),
      at: minutes(59),
      left: minutes(1),
    },
    { of: 'the same names, after the time', request: creation(), at: minutes(60), left: undefined },
    { of: 'other names, at once', request: creation({ names: ['c.example.com'] }), at: 1_000, left: 29_000 },
    { of: 'other names, after 30 s', request: creation({ names: ['c.example.com'] }), at: 30_000, left: undefined },
    { of: 'another account', request: creation({ account: 'other' }), at: 1_000, left: undefined },
  ])('leaves $left ms to wait to $of', ({ request, at, left }) => {
    const memory = new OrderMemory();
    memory.refused(creation(), limited('3600'), 0);
    const check = () => memory.check(request, at);
    if (left === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ kind: 'retryable', retryAfter: left, mayHaveEffect: false }));
  });

  it('for good is not remembered, because an edit may cure it', () => {
    const memory = new OrderMemory();
    const text = '{"type":"urn:ietf:params:acme:error:rejectedIdentifier"}';
    memory.refused(creation(), ProblemError.fromResponse({ status: 400, text, retryAfter: '60' }, 0), 0);
    expect(() => memory.check(creation(), 0)).not.toThrow();
  });
});

describe('an answer', () => {
  const answer = { isGone: true } as const;

  it.each([
    { seconds: 10, at: 9_999, known: answer },
    { seconds: 10, at: 10_000, known: undefined },
    { seconds: 86_400, at: 300_000, known: undefined },
  ])('with Retry-After $seconds is $known after $at ms', ({ seconds, at, known }) => {
    const memory = new OrderMemory();
    memory.hold(url, answer, { for: seconds * 1_000, now: 0 });
    expect(memory.answerOf(url, at)).toEqual(known);
  });

  it('holds no longer than until the next request of the order', () => {
    const memory = new OrderMemory();
    memory.hold(url, answer, { for: 10_000, now: 0 });
    memory.release(url);
    expect(memory.answerOf(url, 1)).toBeUndefined();
  });
});
