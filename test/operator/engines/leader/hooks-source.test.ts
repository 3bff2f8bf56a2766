import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type HookRequest,
  type HooksAnswer,
  type HooksQuestion,
  leaderHooks,
} from '../../../../operator/controllers/leader/ports/hooks.js';
import { hooksFrom } from '../../../../operator/engines/leader/hooks-source.js';
import type { Perform, SecretData, Source } from '../../../../operator/runtime/ports/external-port.js';
import { portContract } from '../../../../operator/testing/index.js';
import { FakeClock } from '../../fake-clock.js';
import { givenPod, local } from './given-pod.js';

const calls: { readonly authorization: unknown; readonly body: unknown }[] = [];
let state: object;
let status: number;
const program = await givenPod(async (request, response) => {
  if (request.method === 'POST') {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as { hook: string; term: number };
    calls.push({ authorization: request.headers.authorization, body });
    if (status === 200) state = { role: body.hook === 'promote' ? 'leader' : 'replica', term: body.term };
    if (status !== 0) response.writeHead(status).end();
    return;
  }
  response.end(JSON.stringify(state));
});
afterAll(program.end);
beforeEach(() => {
  calls.length = 0;
  state = { role: 'none', term: 0 };
  status = 200;
});

const pod = { name: 'worker-0', uid: 'u0', address: program.address };
const endpoint = { port: program.port, path: '/leader', timeout: 1_000 };
const question: HooksQuestion = { ...endpoint, pods: [pod] };
const request: HookRequest = { ...endpoint, pod, hook: 'promote', term: 7 };
const { signal } = new AbortController();

const ask = () => (hooksFrom(local).source as unknown as Source<HooksQuestion, HooksAnswer>)(question, { signal });
const send = (change: Partial<HookRequest> = {}, secret?: SecretData, clock = local.clock) => {
  const performed = hooksFrom({ ...local, clock }).performer?.perform as Perform<HookRequest>;
  return performed({ ...request, ...change }, { signal, secret, mayLeave: () => {} });
};

describe('a hook', () => {
  it('gets its name, the term, the Pod, the leader and the token', async () => {
    const leader = { name: 'worker-1', address: '10.0.0.2' };
    await send({ hook: 'demote', leader }, { token: 'a-token\n' });
    const body = { hook: 'demote', term: 7, pod: 'worker-0', uid: 'u0', leader };
    expect(calls).toEqual([{ authorization: 'Bearer a-token', body }]);
  });

  it('that fails is reported with its name, and may succeed later', async () => {
    status = 500;
    await expect(send()).rejects.toMatchObject({
      kind: 'retryable',
      message: 'hook promote of worker-0 answers with status 500',
    });
    await expect(send({ port: 1 })).rejects.toMatchObject({ kind: 'unreachable' });
  });

  it('that hangs is not waited for longer than its timeout', async () => {
    status = 0;
    const clock = new FakeClock();
    const sent = send({}, undefined, clock).catch((error: unknown) => error);
    await expect.poll(() => calls.length, { timeout: 60_000 }).toBe(1);
    await clock.advance(1_000);
    expect(await sent).toMatchObject({
      kind: 'unreachable',
      message: 'hook promote of worker-0: no answer within 1000 ms',
    });
  });

  it.each([{}, { role: 'leader' }, { role: 'king', term: 1 }, { role: 'leader', term: -1 }, []])(
    'with the state %j counts as silent',
    async (said) => {
      state = said;
      expect(await ask()).toEqual({
        states: {},
        silent: { 'worker-0': 'the answer must be such as {"role": "leader", "term": 7}' },
      });
    },
  );
});

describe('the port of hooks', () => {
  for (const { name, holds } of portContract({
    ...{ port: leaderHooks, question, request },
    start: async () => {
      state = { role: 'none', term: 0 };
      return hooksFrom(local);
    },
    before: { states: { 'worker-0': { role: 'none' as const, term: 0 } }, silent: {} },
    after: { states: { 'worker-0': { role: 'leader' as const, term: 7 } }, silent: {} },
  }))
    it(name, holds);
});
