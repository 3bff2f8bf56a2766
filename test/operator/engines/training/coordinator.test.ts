import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CoordinatorAnswer, coordinator } from '../../../../operator/controllers/training/ports/coordinator.js';
import {
  answerOf,
  askCoordinator,
  changeCoordinator,
} from '../../../../operator/engines/training/coordinator-client.js';
import { provided } from '../../../../operator/runtime/index.js';
import { MemoryPort, portContract } from '../../../../operator/testing/index.js';
import { coordinatorModel, silent } from '../../controllers/training/training-models.js';

const token = 'a-token-of-a-test';
/** The module without PyTorch: one coordinator for each line that is read, without a store. */
const program = `
import sys
sys.path.insert(0, 'images/training')
from reconstruct_training.coordinator import start
from reconstruct_training.job import Job
for _ in sys.stdin:
    job = Job()
    job.store_port = 29401
    print(start(job, '127.0.0.1', 0, '${token}').server_port, flush=True)
`;

const members = [
  { worker: 'ranking-0-0', uid: 'a' },
  { worker: 'ranking-1-0', uid: 'b' },
];
const request = { act: 'begin' as const, generation: 1, members, processes: 1, planned: false };
const check = (start: Parameters<typeof portContract>[0]['start'], at: { host: string; port: number }) =>
  portContract({
    ...{ port: coordinator, start, question: at, before: silent },
    request: { ...at, ...request },
    after: { ...silent, generation: 1, members },
    refused: { ...at, ...request, members: [] },
    content: ({ version: _, ...content }: CoordinatorAnswer) => content,
  } as never);

describe('a coordinator in memory', () => {
  const start = async () => new MemoryPort(coordinatorModel()).provided;
  for (const { name, holds } of check(start as never, { host: 'h', port: 1 })) it(name, holds);
});

it.each([
  ['a fraction', 2.5],
  ['below 0', -1],
  ['beyond what JSON has', 2 ** 60],
])('has no count that is %s, which a status cannot have', (_, value) => {
  const said = {
    ...{ rank: value, step: value, steps: value },
    firstNonFinite: { step: value },
    checkpoint: { step: value },
  };
  const { ranks } = answerOf({ ranks: [{ ...said, state: 'x'.repeat(99) }] });
  expect(ranks[0]).toMatchObject({ step: 0, state: 'x'.repeat(32) });
  for (const name of ['rank', 'steps', 'firstNonFinite', 'checkpoint']) expect(ranks[0]).not.toHaveProperty(name);
});

it('has no identifier of a fault that is longer than a status can have', () => {
  const { faults } = answerOf({ faults: [{ id: 'x'.repeat(200) }] });
  expect(`exit-${faults[0]?.id}`.length).toBeLessThanOrEqual(128);
});

it('reads no more of an answer than the largest job needs', async () => {
  let sent = 0;
  const server = createServer((_, response) => {
    const piece = Buffer.alloc(1 << 20, ' ');
    response.on('error', () => {});
    const send = () => {
      while (!response.destroyed && sent < 512) {
        sent++;
        if (!response.write(piece)) return void response.once('drain', send);
      }
      response.end();
    };
    send();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = askCoordinator({ host: '127.0.0.1', port }, { signal: AbortSignal.timeout(120_000) } as never);
  await expect(answer).rejects.toThrow('more than 33554432 bytes');
  expect(sent).toBeLessThan(128);
  server.closeAllConnections();
  server.close();
});

describe('the coordinator of images/training', () => {
  let python: ReturnType<typeof spawn>;
  let lines: AsyncIterator<string>;
  const at = { host: '127.0.0.1', port: 0 };
  const newCoordinator = async () => {
    python.stdin?.write('\n');
    at.port = Number((await lines.next()).value);
  };
  beforeAll(() => {
    python = spawn('python3', ['-c', program], { stdio: ['pipe', 'pipe', 'inherit'] });
    lines = createInterface({ input: python.stdout as never })[Symbol.asyncIterator]();
  });
  afterAll(async () => {
    python.kill();
    await once(python, 'exit');
  });
  const options = (secret: object = { token }) =>
    ({ signal: AbortSignal.timeout(120_000), mayLeave: () => {}, secret }) as never;
  /** The port of the system is known when it has started, so each message gets it. */
  const start = async () => {
    await newCoordinator();
    const { signal: _, ...others } = { signal: undefined, secret: { token }, mayLeave: () => {} };
    return provided(coordinator, (_question, given) => askCoordinator(at, { ...others, ...given, secret: { token } }), {
      perform: (what, given) => changeCoordinator({ ...what, ...at }, { ...others, ...given, secret: { token } }),
    });
  };
  for (const { name, holds } of check(start as never, at)) it(name, holds);

  it('answers nobody without the token', async () => {
    await newCoordinator();
    await expect(askCoordinator(at, options({}))).rejects.toThrow('status 401: the token is missing or wrong');
    await expect(changeCoordinator({ ...at, ...request }, options({}))).rejects.toMatchObject({ kind: 'unauthorized' });
  });

  it('says another version after a restart, though it knows the same', async () => {
    await newCoordinator();
    const { version: first, ...before } = await askCoordinator(at, options());
    await newCoordinator();
    const { version: second, ...after } = await askCoordinator(at, options());
    expect([before, typeof second]).toEqual([after, 'string']);
    expect(second).not.toBe(first);
  });

  it('refuses an old generation', async () => {
    await newCoordinator();
    await changeCoordinator({ ...at, ...request, generation: 5 }, options());
    await expect(changeCoordinator({ ...at, ...request, generation: 4 }, options())).rejects.toThrow(
      'generation 4 is old',
    );
  });

  it('shows what processes say, and orders', async () => {
    await newCoordinator();
    await changeCoordinator({ ...at, ...request }, options());
    await changeCoordinator({ ...at, act: 'suspend', isSuspended: true }, options());
    await changeCoordinator({ ...at, act: 'restart', restarts: { 'ranking-1-0': 'id' } }, options());
    const said = {
      ...{
        worker: 'ranking-0-0',
        uid: 'a',
        local: 0,
        pid: 7,
        rank: 0,
        generation: 1,
        state: 'training',
        step: 12,
        steps: null,
      },
      ...{
        loss: 'nan',
        firstNonFinite: { step: 12, loss: 'nan' },
        checkpoint: { step: 10, healthy: true },
        message: '',
      },
    };
    const headers = { authorization: `Bearer ${token}` };
    const send = (path: string, body: object) =>
      fetch(`http://${at.host}:${at.port}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    await send('/v1/heartbeat', said);
    await send('/v1/fault', { ...members[1], id: 'f-1', kind: 'xid', grade: 'pod', message: 'Xid 79' });
    expect(await askCoordinator(at, options())).toMatchObject({
      ...{ isSuspended: true, restarts: { 'ranking-1-0': 'id' }, members },
      ranks: [
        {
          worker: 'ranking-0-0',
          rank: 0,
          step: 12,
          firstNonFinite: 12,
          age: 0,
          checkpoint: { step: 10, healthy: true },
        },
      ],
      faults: [{ id: 'f-1', uid: 'b', grade: 'pod' }],
    });
  });
});

describe('an answer', () => {
  it('of a coordinator of an old image has no version, so the next question is not held', () => {
    expect(answerOf({ revision: 7 })).not.toHaveProperty('version');
    expect(coordinator.versionOf?.(answerOf({ revision: 7 }))).toBeUndefined();
    expect(coordinator.versionOf?.(answerOf({ version: 'a-7' }))).toBe('a-7');
  });
  it('of another program has no ranks', () => {
    expect(answerOf([1])).toEqual({ ...silent, hasStore: false });
    expect(answerOf({ ranks: 'x', orders: 3, generation: 'many' })).toEqual({ ...silent, hasStore: false });
  });
  it('has whole seconds from three on, so that it changes seldom', () => {
    const ages = (age: number) => answerOf({ ranks: [{ age }] }).ranks.map((one) => one.age);
    expect([...ages(2.9), ...ages(3.2), ...ages(61.9)]).toEqual([0, 3, 61]);
  });
  it('has the exit code of a fault and the end of the output, where the exception is', () => {
    const { faults } = answerOf({ faults: [{ exitCode: 1, output: `${'x'.repeat(9_000)}ValueError: bad` }, {}] });
    expect(faults[0]).toMatchObject({ exitCode: 1, output: expect.stringMatching(/^x{2033}ValueError: bad$/) });
    expect(Object.keys(faults[1] ?? {})).toEqual(['worker', 'uid', 'id', 'kind', 'grade', 'message']);
  });
});
