import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { freePort } from '../../operator/testing/control-plane/free-port.js';

const program = 'examples/algorithm-server/server.mjs';
const running = new Set<ChildProcess>();
/** Milliseconds that no test waits for. */
const aDay = '86400000';

afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
});

interface Answer {
  readonly code: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** Starts the server, and returns how it is asked once it listens. */
async function givenServer(env: Readonly<Record<string, string | undefined>>, maxSockets = 1) {
  const port = await freePort();
  const child = spawn(process.execPath, [program], { env: { ...env, PORT: String(port) }, stdio: 'inherit' });
  running.add(child);
  const agent = new Agent({ keepAlive: true, maxSockets });
  const ask = async (path = '/'): Promise<Answer> => {
    const [response] = (await once(get({ port, path, agent }), 'response')) as [IncomingMessage];
    return { code: response.statusCode, headers: response.headers, text: await text(response) };
  };
  await vi.waitFor(() => ask('/healthz'), { timeout: 120_000, interval: 20 });
  const metric = async (line: string) => {
    const { text } = await ask('/metrics');
    return Number(
      text
        .split('\n')
        .find((one) => one.startsWith(`${line} `))
        ?.slice(line.length),
    );
  };
  return { ask, metric, child, port };
}

describe('the example server', () => {
  test('says which version it is, and predicts', async () => {
    const { ask } = await givenServer({ VERSION: '1.1.0', LATENCY_MS: '0' });
    const { code, headers, text } = await ask();
    expect({ code, version: headers['x-version'] }).toEqual({ code: 200, version: '1.1.0' });
    expect(JSON.parse(text)).toEqual({ version: '1.1.0', score: expect.any(Number) });
  });

  test('counts its answers by code, and how long they took and what they said by bucket', async () => {
    const { ask, metric } = await givenServer({ LATENCY_MS: '0' });
    for (let asked = 0; asked < 20; asked++) await ask();
    expect(await metric('http_requests_total{code="200"}')).toBe(20);
    expect(await metric('http_request_duration_seconds_bucket{le="2.5"}')).toBe(20);
    expect(await metric('prediction_score_count')).toBe(20);
    expect(await metric('prediction_score_bucket{le="0.2"}')).toBe(0);
    expect(await metric('prediction_score_bucket{le="0.8"}')).toBe(20);
  });

  test.each([
    { does: 'fails for all', when: { ERROR_RATE: '1' }, line: 'http_requests_total{code="500"}', count: 20 },
    { does: 'is slow', when: { LATENCY_MS: '60' }, line: 'http_request_duration_seconds_bucket{le="0.025"}', count: 0 },
    { does: 'is slow', when: { VERSION: '1.3.0' }, line: 'http_request_duration_seconds_bucket{le="0.05"}', count: 0 },
    { does: 'has drifted', when: { VERSION: '1.4.0' }, line: 'prediction_score_bucket{le="0.3"}', count: 0 },
    { does: 'has drifted', when: { MEAN_SCORE: '0.9' }, line: 'prediction_score_bucket{le="0.6"}', count: 0 },
  ])('$does with $when', async ({ when, line, count }) => {
    const { ask, metric } = await givenServer(when);
    await Promise.all(Array.from({ length: 20 }, () => ask()));
    expect(await metric(line)).toBe(count);
  });

  test('is good for a while, and then no more', async () => {
    const serverGoodFor = (ms: string) => givenServer({ ERROR_RATE: '1', GOOD_FOR_MS: ms, LATENCY_MS: '0' });
    expect((await (await serverGoodFor(aDay)).ask()).code).toBe(200);
    const { ask } = await serverGoodFor('2000');
    await vi.waitFor(async () => expect((await ask()).code).toBe(500), { timeout: 120_000, interval: 50 });
  });

  test('predicts no more at a time than it can, and everybody in turn', async () => {
    const { ask, metric } = await givenServer({ ABREAST: '2', LATENCY_MS: '100' }, 20);
    await Promise.all(Array.from({ length: 20 }, () => ask()));
    expect(await metric('http_request_duration_seconds_count')).toBe(20);
    // Ten rounds of 50 ms at the least: the last ones have waited for nine.
    expect(await metric('http_request_duration_seconds_bucket{le="0.25"}')).toBeLessThan(20);
  });

  test('asked to stop is not ready, answers who still comes, closes their connection, and ends', async () => {
    const { ask, child } = await givenServer({ LATENCY_MS: '100', DRAIN_MS: aDay });
    expect((await ask()).headers['connection']).toBe('keep-alive');
    child.kill('SIGTERM');
    await vi.waitFor(async () => expect((await ask('/healthz')).code).toBe(503), { timeout: 120_000, interval: 5 });
    const { code, headers } = await ask();
    expect({ code, connection: headers['connection'] }).toEqual({ code: 200, connection: 'close' });

    const soon = await givenServer({ LATENCY_MS: '100', DRAIN_MS: '100' });
    expect((await soon.ask()).headers['connection']).toBe('keep-alive');
    const exited = once(soon.child, 'exit');
    soon.child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });

  test('asked to stop does not wait for a connection on which nothing was ever asked', async () => {
    const { child, port } = await givenServer({ DRAIN_MS: '0' });
    const unused = connect(port).on('error', () => {}); // reset or ended, it is over
    await once(unused, 'connect');
    const closed = once(unused, 'close');
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    await closed;
  });
});
