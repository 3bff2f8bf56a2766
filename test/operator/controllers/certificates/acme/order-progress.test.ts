import { describe, expect, it } from 'vitest';
import {
  type OrderState,
  orderQuestion,
  progressOf,
  visibilityPatience,
} from '../../../../../operator/controllers/certificates/acme/order-progress.js';
import type { AcmeOrder } from '../../../../../operator/controllers/certificates/ports/acme.js';
import {
  account,
  givenAuthorization,
  givenChallenge,
  givenFacts,
  givenOrder,
  now,
  recorded,
  url,
} from './given-order.js';

const minute = 60_000;
const hidden = { isVisible: false, why: 'http://a.example.com/ answers 404' } as const;
const authorization = givenAuthorization('a.example.com');
const pending = givenOrder('pending', { authorizations: [authorization] });
const answered = (order: AcmeOrder, of: Partial<OrderState> = {}) => givenFacts({ answer: { order }, ...of });
const challenged = (of: Parameters<typeof givenAuthorization>[1], facts: Partial<OrderState> = {}) =>
  answered(givenOrder('pending', { authorizations: [givenAuthorization('a.example.com', of)] }), facts);
const create = { ...account, act: 'create', id: 'a-uid/3/0', names: ['a.example.com'] };
const respond = {
  ...{ ...account, act: 'respond', order: url, authorization: authorization.url },
  challenge: 'https://acme.example.com/challenge/http-01',
};
const problem = { type: 'connection', detail: '10.0.0.1: Connection refused' };

describe('the next step of an order', () => {
  it.each<{ when: string; facts: OrderState; reason: string; calls?: object; hasFailed?: true; recheckAt?: number }>([
    { when: 'nothing is known', facts: givenFacts({ answer: undefined }), reason: 'Ordering' },
    { when: 'there is no order', facts: givenFacts(), reason: 'Ordering', calls: { order: create } },
    {
      when: 'there is no order, and the spec names a profile',
      facts: givenFacts({ profile: 'shortlived' }),
      reason: 'Ordering',
      calls: { order: { ...create, profile: 'shortlived' } },
    },
    {
      when: 'the last order failed just now',
      facts: givenFacts({ failures: { count: 1, last: now } }),
      reason: 'Retrying',
      recheckAt: now + minute,
    },
    {
      when: 'the last order failed long enough ago',
      facts: givenFacts({ failures: { count: 1, last: now - minute } }),
      reason: 'Ordering',
      calls: { order: { ...create, id: 'a-uid/3/1' } },
    },
    {
      when: 'the order is for the names of an earlier spec',
      facts: answered(pending, { names: ['b.example.com'] }),
      reason: 'Ordering',
      calls: { order: { ...create, names: ['b.example.com'] } },
    },
    {
      when: 'the server has the names in another order and case',
      facts: answered(
        { ...givenOrder('processing'), names: ['b.example.com', 'a.example.com'] },
        { names: ['A.example.com', 'b.example.com'] },
      ),
      reason: 'Finalizing',
    },
    {
      when: 'a response is visible',
      facts: answered(pending),
      reason: 'Validating',
      calls: { 'validate-a.example.com': respond },
    },
    {
      when: 'a response is not in place',
      facts: answered(pending, { presentedSince: undefined }),
      reason: 'Presenting',
    },
    {
      when: 'it is not known whether a response is visible',
      facts: answered(pending, { visibilityOf: () => undefined }),
      reason: 'Presenting',
      recheckAt: now - 1_000 + visibilityPatience,
    },
    {
      when: 'a response is not visible',
      facts: answered(pending, { visibilityOf: () => hidden }),
      reason: 'Presenting',
      recheckAt: now - 1_000 + visibilityPatience,
    },
    {
      when: 'a response is in place for ten minutes and not visible from here',
      facts: answered(pending, { visibilityOf: () => hidden, presentedSince: now - visibilityPatience }),
      reason: 'Validating',
      calls: { 'validate-a.example.com': respond },
    },
    {
      when: 'the server validates a challenge already',
      facts: challenged({ challenges: [givenChallenge('http-01', { status: 'processing' })] }),
      reason: 'Validating',
    },
    { when: 'the name is valid', facts: challenged({ status: 'valid' }), reason: 'Validating' },
    {
      when: 'the server offers no challenge of the solver',
      facts: challenged({ challenges: [givenChallenge('dns-01')] }),
      reason: 'OrderFailed',
      hasFailed: true,
    },
    ...['../../admin', 'a?b', '', 'a'.repeat(1025)].map((token) => ({
      when: `the token of the challenge cannot be in a path: ${token.slice(0, 12)}`,
      facts: challenged({ challenges: [givenChallenge('http-01', { token })] }),
      reason: 'OrderFailed' as const,
      hasFailed: true as const,
    })),
    {
      when: 'all names are valid',
      facts: answered(givenOrder('ready')),
      reason: 'Finalizing',
      calls: { finalize: { ...account, act: 'finalize', order: url, csr: 'a-csr' } },
    },
    { when: 'the server issues', facts: answered(givenOrder('processing')), reason: 'Finalizing' },
    { when: 'the order is invalid', facts: answered(givenOrder('invalid')), reason: 'OrderFailed', hasFailed: true },
    {
      when: 'the server lost the order',
      facts: givenFacts({ answer: { isGone: true } }),
      reason: 'OrderFailed',
      hasFailed: true,
    },
  ])('is $reason when $when', ({ facts, reason, calls = {}, hasFailed, recheckAt }) => {
    expect(progressOf(facts)).toMatchObject({ reason, calls });
    expect(Object.keys(progressOf(facts).calls)).toEqual(Object.keys(calls));
    expect(progressOf(facts).hasFailed).toBe(hasFailed);
    expect(progressOf(facts).recheckAt).toBe(recheckAt);
  });

  it('passes the chain of a valid order on', () => {
    expect(progressOf(answered(givenOrder('valid', { chain: 'PEM' })))).toMatchObject({
      reason: 'Issued',
      chain: 'PEM',
    });
  });

  it.each<{ when: string; order: AcmeOrder; message: string }>([
    {
      when: 'on the challenges',
      order: givenOrder('invalid', {
        problem: { type: 'unauthorized', detail: 'an authorization is invalid' },
        authorizations: [
          givenAuthorization('a.example.com', {
            status: 'invalid',
            challenges: [givenChallenge('http-01', { problem })],
          }),
        ],
      }),
      message: 'The order failed: a.example.com: connection: 10.0.0.1: Connection refused',
    },
    {
      when: 'on the order',
      order: givenOrder('invalid', { problem }),
      message: 'The order failed: connection: 10.0.0.1: Connection refused',
    },
    { when: 'nowhere', order: givenOrder('invalid'), message: 'The order failed' },
  ])('tells the words of the server $when', ({ order, message }) => {
    expect(progressOf(answered(order)).message).toBe(message);
  });

  it('tells why a response is not visible', () => {
    expect(progressOf(answered(pending, { visibilityOf: () => hidden })).message).toBe(
      'The response to the http-01 challenge for a.example.com is not visible yet: http://a.example.com/ answers 404',
    );
  });

  it('names the response of each pending name, by the solver of the name', () => {
    const [http, dns] = [{ http01: {} }, { dns01: {}, selector: { dnsZones: ['b.example.com'] } }];
    const names = ['a.example.com', '*.b.example.com', 'b.example.com', 'c.example.com'];
    const authorizations = [
      ...[givenAuthorization('a.example.com'), givenAuthorization('b.example.com', { isWildcard: true })],
      ...[givenAuthorization('b.example.com'), givenAuthorization('c.example.com', { status: 'valid' })],
    ];
    const order = givenOrder('pending', { names, authorizations });
    const { responses, calls } = progressOf(answered(order, { names, solvers: [http, dns] }));
    expect(
      responses === 'unchanged' ? [] : responses.map(({ name, solver, challenge }) => [name, solver, challenge.type]),
    ).toEqual([
      ['a.example.com', http, 'http-01'],
      ['b.example.com', dns, 'dns-01'],
      ['b.example.com', dns, 'dns-01'],
    ]);
    expect(Object.keys(calls)).toEqual([
      'validate-a.example.com',
      'validate-*.b.example.com',
      'validate-b.example.com',
    ]);
  });

  it('leaves the responses in place while the order is not known', () => {
    expect(progressOf(givenFacts({ answer: undefined })).responses).toBe('unchanged');
  });

  it.each<{ records: string; facts: OrderState; record?: object }>([
    { records: 'a new order', facts: answered(pending, { recorded: undefined }), record: recorded },
    { records: 'nothing twice', facts: answered(pending) },
    {
      records: 'an order of another account anew',
      facts: answered(pending, { recorded: { url, account: 'other' } }),
      record: recorded,
    },
    { records: 'the profile', facts: answered(pending, { profile: 'p' }), record: { ...recorded, profile: 'p' } },
    { records: 'no failed order', facts: answered(givenOrder('invalid'), { recorded: undefined }) },
  ])('records $records', ({ facts, record }) => {
    expect(progressOf(facts).record).toEqual(record);
  });
});

describe('the question about an order', () => {
  it.each<{ when: string; of: Partial<OrderState>; order?: string; id?: string }>([
    { when: 'it is recorded', of: {}, order: url },
    { when: 'none is recorded', of: { recorded: undefined } },
    { when: 'it is of an account that was lost', of: { recorded: { url, account: 'other' } } },
    { when: 'it is of another profile', of: { profile: 'shortlived' } },
    { when: 'an order failed before', of: { failures: { count: 2, last: 0 } }, order: url, id: 'a-uid/3/2' },
  ])('has the URL $order when $when', ({ of, order, id = 'a-uid/3/0' }) => {
    expect(orderQuestion(givenFacts(of))).toEqual({
      ...{ ...account, id, names: ['a.example.com'] },
      ...(order !== undefined && { order }),
      ...(of.profile !== undefined && { profile: of.profile }),
    });
  });
});
