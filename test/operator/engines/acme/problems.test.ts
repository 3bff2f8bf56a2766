import { describe, expect, it } from 'vitest';
import { ProblemError, problemIn } from '../../../../operator/engines/acme/problems.js';

const now = Date.parse('2030-01-01T00:00:00Z');
const urn = (type: string) => `urn:ietf:params:acme:error:${type}`;
const document = (type: string) => JSON.stringify({ type: urn(type), detail: 'no' });

describe('an error response', () => {
  it.each([
    { status: 429, type: 'rateLimited', kind: 'retryable', mayHaveEffect: false },
    { status: 403, type: 'rateLimited', kind: 'retryable', mayHaveEffect: false },
    { status: 503, type: 'rateLimited', kind: 'retryable', mayHaveEffect: false },
    { status: 400, type: 'badNonce', kind: 'retryable', mayHaveEffect: false },
    { status: 403, type: 'orderNotReady', kind: 'retryable', mayHaveEffect: false },
    { status: 500, type: 'serverInternal', kind: 'retryable', mayHaveEffect: true },
    { status: 400, type: 'accountDoesNotExist', kind: 'unauthorized', mayHaveEffect: false },
    { status: 403, type: 'unauthorized', kind: 'terminal', mayHaveEffect: false },
    { status: 401, type: 'externalAccountRequired', kind: 'terminal', mayHaveEffect: false },
    { status: 400, type: 'rejectedIdentifier', kind: 'terminal', mayHaveEffect: false },
    { status: 400, type: 'badCSR', kind: 'terminal', mayHaveEffect: false },
    { status: 403, type: 'userActionRequired', kind: 'terminal', mayHaveEffect: false },
  ])('$status $type is $kind', ({ status, type, kind, mayHaveEffect }) => {
    const error = ProblemError.fromResponse({ status, text: document(type) }, now);
    expect(error).toMatchObject({
      status,
      kind,
      mayHaveEffect,
      message: `${type}: no`,
      problem: { type, detail: 'no' },
    });
  });

  it.each([
    { status: 403, text: '<html>blocked</html>', kind: 'unauthorized', message: 'the server answered 403' },
    { status: 404, text: '', kind: 'terminal', message: 'the server answered 404' },
    { status: 502, text: '[]', kind: 'retryable', message: 'the server answered 502' },
    { status: 302, text: '', kind: 'terminal', message: 'the server answered 302' },
  ])('$status without a problem is $kind, and its text is not told', ({ status, text, kind, message }) => {
    const error = ProblemError.fromResponse({ status, text }, now);
    expect(error).toMatchObject({ kind, message, problem: undefined });
  });

  it.each([
    { header: '120', retryAfter: 120_000 },
    { header: 'Tue, 01 Jan 2030 01:00:00 GMT', retryAfter: 3_600_000 },
    { header: 'soon', retryAfter: undefined },
    { header: undefined, retryAfter: undefined },
  ])('with Retry-After $header waits $retryAfter ms', ({ header, retryAfter }) => {
    const response = { status: 429, text: document('rateLimited'), retryAfter: header };
    expect(ProblemError.fromResponse(response, now).retryAfter).toBe(retryAfter);
  });
});

describe('the words of a problem', () => {
  it.each([
    { document: undefined, problem: undefined },
    { document: {}, problem: undefined },
    { document: { detail: 'no' }, problem: { type: 'unknown', detail: 'no' } },
    { document: { type: urn('dns') }, problem: { type: 'dns', detail: '' } },
    { document: { type: 'about:blank', detail: 'no' }, problem: { type: 'about:blank', detail: 'no' } },
    { document: { type: urn('dns'), detail: ' a\n\u0007b ' }, problem: { type: 'dns', detail: 'a b' } },
    {
      document: {
        ...{ type: urn('rejectedIdentifier'), detail: 'Two names' },
        subproblems: [
          { type: urn('dns'), detail: 'no', identifier: { type: 'dns', value: 'a.example.com' } },
          null,
          { detail: 'neither' },
        ],
      },
      problem: { type: 'rejectedIdentifier', detail: 'Two names (a.example.com: no; neither)' },
    },
  ])('of $document are $problem', ({ document, problem }) => {
    expect(problemIn(document)).toEqual(problem);
  });

  it('are bounded', () => {
    expect(problemIn({ type: urn('dns'), detail: 'x'.repeat(5_000) })?.detail).toHaveLength(1_000);
  });
});
