import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { at, certificateOf, chain, key, launch, mount, refusal, started, text, useLauncher } from './kafka/launcher.js';

useLauncher();

describe('the configuration of a node', () => {
  test.each([
    { has: 'process.roles=broker\nnode.id=1\nlisteners=REPLICATION://:9091\n', when: 'it is a broker', env: {} },
    { has: 'process.roles=controller\nnode.id=1\n', when: 'it is a controller', env: { KAFKA_ROLE: 'controller' } },
    { has: '\nbroker.rack=z1\n', when: 'the rack of a broker is known', env: { KAFKA_RACK: 'z1' } },
    { has: '\nlog.cleaner.dedupe.buffer.size=67108864\n', when: 'the heap is small', env: { KAFKA_HEAP_MB: '512' } },
  ])('has $has when $when', async ({ has, env }) => {
    await started(env as object as Record<string, string>);
    expect(await text('run/server.properties')).toContain(has);
    expect((await stat(at('run/server.properties'))).mode & 0o777).toBe(0o600);
  });

  test.each([
    { name: 'log.cleaner.dedupe.buffer.size', count: 0, when: 'the heap is large', env: { KAFKA_HEAP_MB: '1024' } },
    { name: 'log.cleaner.dedupe.buffer.size', count: 0, when: 'it is a controller', env: { KAFKA_ROLE: 'controller' } },
    {
      name: 'log.cleaner.dedupe.buffer.size',
      count: 1,
      when: 'the user sets it',
      env: { KAFKA_NODE_PROPERTIES: 'node.id=1\nlog.cleaner.dedupe.buffer.size=5000000' },
    },
    {
      name: 'broker.rack',
      count: 0,
      when: 'a controller has one',
      env: { KAFKA_ROLE: 'controller', KAFKA_RACK: 'z1' },
    },
  ])('has $name $count times when $when', async ({ name, count, env }) => {
    await started(env as object as Record<string, string>);
    expect((await text('run/server.properties')).split(`${name}=`)).toHaveLength(count + 1);
  });
});

describe('the options of Java', () => {
  const g1 = '-XX:+UseG1GC';
  const serial = '-XX:+UseSerialGC';
  test.each([
    { has: ['-Xms512m', '-Xmx512m', g1], lacks: serial, when: 'nothing is said', env: {} },
    { has: ['-Xmx2048m', g1], lacks: serial, when: 'the heap is large', env: { KAFKA_HEAP_MB: '2048' } },
    { has: ['-Xmx256m', serial], lacks: g1, when: 'the heap is small', env: { KAFKA_HEAP_MB: '256' } },
    {
      has: ['-XX:+UseParallelGC', '-Da=*'],
      lacks: g1,
      when: 'the user chooses a collector',
      env: { KAFKA_JVM_OPTIONS: '-XX:+UseParallelGC  -Da=*' },
    },
    {
      has: ['-XX:+ExitOnOutOfMemoryError'],
      lacks: '-javaagent',
      when: 'there are no rules',
      env: { KAFKA_METRICS_RULES: '' },
    },
  ])('are $has and not $lacks when $when', async ({ has, lacks, env }) => {
    const all = await started(env as object as Record<string, string>);
    expect(all).toEqual(expect.arrayContaining(has));
    expect(all.filter((one) => one.startsWith(lacks))).toEqual([]);
    expect(all.slice(-2)).toEqual(['kafka.Kafka', at('run/server.properties')]);
  });

  test('export metrics on port 9404', async () => {
    const agent = at('jars/jmx_prometheus_javaagent-1.0.1.jar');
    expect(await started()).toContain(`-javaagent:${agent}=9404:/opt/kafka/metrics.yaml`);
  });
});

describe('the certificates', () => {
  test('are written as key stores that only Kafka may read', async () => {
    await started();
    expect(await text('run/tls/nodes/keystore.pem')).toBe(`${key}\n${chain}\n`);
    expect(await text('run/tls/nodes/truststore.pem')).toBe(`${certificateOf('AUTHORITY')}\n`);
    expect((await stat(at('run/tls/nodes/keystore.pem'))).mode & 0o777).toBe(0o600);
  });

  test.each([
    { when: 'ca.crt is missing', files: {} },
    { when: 'ca.crt is empty', files: { 'ca.crt': '' } },
  ])('trust no intermediate authority when $when', async ({ files }) => {
    await mount('internal', { 'tls.key': key, 'tls.crt': chain, ...files } as Record<string, string>);
    await started();
    expect(await text('run/tls/internal/truststore.pem')).toBe(`${certificateOf('LEAF')}\n`);
  });

  test('follow the Secret, and stay when the new one cannot be used', async () => {
    const { stderr } = launch();
    await vi.waitFor(() => expect(existsSync(at('run/node'))).toBe(true), { timeout: 120_000 });
    const renewed = certificateOf('RENEWED');
    await mount('nodes', { 'tls.key': key, 'tls.crt': renewed, 'ca.crt': certificateOf('AUTHORITY') });
    await vi.waitFor(async () => expect(await text('run/tls/nodes/keystore.pem')).toContain('RENEWED'), 120_000);
    await mount('nodes', { 'tls.key': 'an EC PRIVATE KEY', 'tls.crt': chain, 'ca.crt': '' });
    await vi.waitFor(() => expect(stderr()).toContain('is not a key in PKCS #8'), 120_000);
    expect(await text('run/tls/nodes/keystore.pem')).toContain('RENEWED');
    await pause(1000);
    await mount('nodes', { 'tls.key': key, 'tls.crt': certificateOf('THIRD'), 'ca.crt': '' });
    await vi.waitFor(async () => expect(await text('run/tls/nodes/keystore.pem')).toContain('THIRD'), 120_000);
    expect(stderr().match(/is not a key/g)).toHaveLength(1);
  });

  test.each([
    { says: 'tls.key is not a key in PKCS #8', when: 'the key has another encoding', files: { 'tls.key': 'KEY' } },
    { says: 'tls.key: No such file or directory', when: 'the key is missing', files: {} },
  ])('end the node when $when', async ({ says, files }) => {
    await mount('internal', { 'tls.crt': chain, ...files } as Record<string, string>);
    const message = await refusal();
    expect(message).toMatch(/^a certificate cannot be used: /);
    expect(message).toContain(says);
  });

  test('are not followed after the node has ended', async () => {
    const { child, exited, closed } = launch();
    await vi.waitFor(() => expect(existsSync(at('run/node'))).toBe(true), { timeout: 120_000 });
    child.kill('SIGTERM');
    // Java is process 1, so it gets the signal.
    expect(await exited).toEqual({ code: null, signal: 'SIGTERM' });
    await closed;
  });
});

test.each([
  { says: "KAFKA_ROLE must be broker or controller, got 'both'", env: { KAFKA_ROLE: 'both' } },
  { says: "KAFKA_HEAP_MB must be a number of MiB, got '1Gi'", env: { KAFKA_HEAP_MB: '1Gi' } },
  { says: 'KAFKA_CLUSTER_ID must have the identifier of the cluster', env: { KAFKA_CLUSTER_ID: '' } },
  { says: 'KAFKA_NODE_PROPERTIES must have the properties of this node', env: { KAFKA_NODE_PROPERTIES: '' } },
])('$says', async ({ says, env }) => {
  expect(await refusal(env as object as Record<string, string>)).toBe(says);
});

describe('a controller that receives SIGTERM', () => {
  /** Answers as the exporter of the metrics does. */
  async function givenMetrics(leaving: () => string) {
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end(`# TYPE ${gauge} gauge\n${leaving()}`);
    });
    const asked: string[] = [];
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    return {
      server,
      asked,
      env: { KAFKA_ROLE: 'controller', KAFKA_METRICS_PORT: String(port), KAFKA_LOOK_SECONDS: '0.05' },
    };
  }
  const gauge = 'kafka_controller_kafkacontroller_brokerregistrationstate';
  /** Three brokers in these states: 10 is fenced, 20 stops, and 30 is active. */
  const states = (...of: readonly number[]) => of.map((state, id) => `${gauge}{broker="${id}"} ${state}.0\n`).join('');
  const stopped = () => existsSync(at('run/stopped'));
  const isUp = () => vi.waitFor(() => expect(existsSync(at('run/node'))).toBe(true), { timeout: 120_000 });

  test('outlives the brokers that stop with it, and ends with the code of Java', async () => {
    let now = states(20, 10, 20);
    const { server, asked, env } = await givenMetrics(() => now);
    const { child, exited } = launch(env);
    await isUp();
    child.kill('SIGTERM');
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(12), { timeout: 120_000 });
    expect(stopped()).toBe(false);
    now = states(10, 10, 10);
    expect(await exited).toEqual({ code: 143, signal: null });
    expect(stopped()).toBe(true);
    expect(asked[0]).toBe(`/metrics?name[]=${gauge}`);
    server.close();
  });

  test('waits no longer than it may', async () => {
    const { server, env } = await givenMetrics(() => states(20));
    const { child, exited } = launch({ ...env, KAFKA_LEAVING_SECONDS: '1' });
    await isUp();
    child.kill('SIGTERM');
    expect(await exited).toEqual({ code: 143, signal: null });
    server.close();
  });

  test.each([
    { when: 'its Kafka does not report them', env: {}, answer: '' },
    { when: 'nothing answers', env: { KAFKA_METRICS_PORT: '1' }, answer: '' },
    { when: 'there are no metrics', env: { KAFKA_METRICS_RULES: '' }, answer: `${gauge}{broker="0"} 20.0\n` },
    { when: 'they run, or have ended', env: {}, answer: `${gauge}{broker="0"} 30.0\n${gauge}{broker="1"} 10.0\n` },
  ])('does not wait for brokers when $when', async ({ env, answer }) => {
    const given = await givenMetrics(() => answer);
    const { child, exited } = launch({ ...given.env, ...(env as object) });
    await isUp();
    child.kill('SIGTERM');
    expect(await exited).toEqual({ code: 143, signal: null });
    given.server.close();
  });

  test('ends when Java ends by itself', async () => {
    const { server, env } = await givenMetrics(() => '');
    const { exited } = launch(env);
    await isUp();
    const pid = Number((await text('run/pid')).trim());
    process.kill(pid, 'SIGKILL');
    expect(await exited).toEqual({ code: 137, signal: null });
    server.close();
  });
});
