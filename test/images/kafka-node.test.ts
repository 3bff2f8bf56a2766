import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

const key = '-----BEGIN PRIVATE KEY-----\nKEY\n-----END PRIVATE KEY-----';
const certificateOf = (name: string) => `-----BEGIN CERTIFICATE-----\n${name}\n-----END CERTIFICATE-----`;
const chain = `${certificateOf('LEAF')}\n${certificateOf('INTERMEDIATE')}`;

/** Plays Java: records its arguments, and formats as StorageTool does unless FAILS is set. The node runs until the test ends it. */
const java = `#!/bin/bash
kind=node; [[ " $* " != *" kafka.tools.StorageTool "* ]] || kind=format
printf '%s\\n' "$@" >"$KAFKA_RUN/$kind.new" && mv "$KAFKA_RUN/$kind.new" "$KAFKA_RUN/$kind"
[[ $kind == format ]] || exec sleep 600
[[ -z \${FAILS:-} ]] || { printf 'Exception in thread "main" a reason\\n\\tat a.Class\\n'; exit 1; }
printf 'cluster.id=%s\\nnode.id=1\\n' "$KAFKA_CLUSTER_ID" >"$KAFKA_DATA/meta.properties"
`;

let folder: string;
let ends: (() => Promise<unknown>)[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kafka-node-'));
  ends = [];
  for (const each of ['bin', 'jars', 'data', 'run', 'settings/tls']) await mkdir(at(each), { recursive: true });
  await writeFile(at('bin/java'), java);
  await chmod(at('bin/java'), 0o755);
  await writeFile(at('jars/jmx_prometheus_javaagent-1.0.1.jar'), '');
  for (const role of ['broker', 'controller'])
    await writeFile(at(`settings/${role}.properties`), `process.roles=${role}\n`);
  await mount('nodes', { 'tls.key': key, 'tls.crt': chain, 'ca.crt': certificateOf('AUTHORITY') });
});
afterEach(async () => {
  for (const end of ends) await end();
  await rm(folder, { recursive: true, force: true });
});

const at = (path: string) => join(folder, path);
const text = async (path: string) => readFile(at(path), 'utf8');

/** Replaces the files of a Secret at once, as the kubelet does. */
async function mount(name: string, files: Readonly<Record<string, string>>): Promise<void> {
  const volume = at(`settings/tls/${name}`);
  const revision = await mkdtemp(at('settings/revision-'));
  await mkdir(volume, { recursive: true });
  for (const [file, content] of Object.entries(files)) {
    await writeFile(join(revision, file), content);
    await unlink(join(volume, file)).catch(() => {});
    await symlink(join('..data', file), join(volume, file));
  }
  await symlink(revision, join(volume, '..next'));
  await rename(join(volume, '..next'), join(volume, '..data'));
}

/** Runs the launcher. A variable that is empty is as one that is not set. */
function launch(env: Readonly<Record<string, string>> = {}) {
  const child = spawn(resolve('images/kafka/bin/kafka-node'), {
    detached: true,
    env: {
      PATH: `${at('bin')}:${process.env['PATH']}`,
      KAFKA_JARS: at('jars'),
      KAFKA_SETTINGS: at('settings'),
      KAFKA_RUN: at('run'),
      KAFKA_DATA: at('data'),
      KAFKA_MESSAGES: at('message'),
      KAFKA_POLL_SECONDS: '0.05',
      KAFKA_ROLE: 'broker',
      KAFKA_CLUSTER_ID: '-ours',
      KAFKA_NODE_PROPERTIES: 'node.id=1\nlisteners=REPLICATION://:9091\n',
      ...env,
    },
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (more: string) => {
    stderr += more;
  });
  child.stdout.resume();
  const exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  // Also without the loop that follows the certificates: it shares the output.
  const closed = once(child, 'close');
  ends.push(async () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // All of its processes have ended.
    }
    await closed;
  });
  return { child, exited, closed, stderr: () => stderr };
}

/** The arguments of the Java that the launcher became. */
async function started(env: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const { stderr } = launch(env);
  await vi.waitFor(() => expect(existsSync(at('run/node')), stderr()).toBe(true), { timeout: 30_000 });
  return (await text('run/node')).trimEnd().split('\n');
}

async function refusal(env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { exited } = launch(env);
  expect(await exited).toEqual({ code: 1, signal: null });
  expect(existsSync(at('run/node'))).toBe(false);
  return (await text('message')).trimEnd();
}

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

describe('a volume', () => {
  const first = '1000@a:9090:AAAAAAAAAAAAAAAAAAAAAA';
  const controller = { KAFKA_ROLE: 'controller', KAFKA_INITIAL_CONTROLLERS: first };
  const combined = {
    KAFKA_NODE_PROPERTIES: 'node.id=1\nprocess.roles=broker,controller',
    KAFKA_INITIAL_CONTROLLERS: first,
  };
  test.each([
    { has: '--no-initial-controllers', when: 'it is the one of a broker', env: { KAFKA_INITIAL_CONTROLLERS: first } },
    { has: '--no-initial-controllers', when: 'a controller joins a quorum', env: { KAFKA_ROLE: 'controller' } },
    { has: `--initial-controllers=${first}`, when: 'the first controllers begin', env: controller },
    { has: `--initial-controllers=${first}`, when: 'a broker is one of the first controllers', env: combined },
    {
      has: '--no-initial-controllers',
      when: 'a broker that is a controller joins a quorum',
      env: { ...combined, KAFKA_INITIAL_CONTROLLERS: '' },
    },
    { has: '--release-version=4.3-IV0', when: 'a level is wanted', env: { KAFKA_METADATA_VERSION: '4.3-IV0' } },
    { has: '--cluster-id=-ours', when: 'the identifier begins with a dash', env: {} },
  ])('is formatted with $has when $when', async ({ has, env }) => {
    await started(env as object as Record<string, string>);
    expect((await text('run/format')).split('\n')).toContain(has);
  });

  test('is formatted once', async () => {
    await started();
    for (const end of ends) await end();
    await rm(at('run'), { recursive: true });
    await started();
    expect(existsSync(at('run/format'))).toBe(false);
  });

  test.each([
    {
      says: 'the volume belongs to the Kafka cluster theirs, not to -ours: use a volume of this cluster, or an empty one',
      when: 'it is of another cluster',
      files: { 'meta.properties': 'version=1\ncluster.id=theirs\nnode.id=1\n' },
    },
    {
      says: 'the volume belongs to the node 2 of this Kafka cluster, not to 1: use its own volume, or an empty one',
      when: 'it is of another node',
      files: { 'meta.properties': 'version=1\ncluster.id=-ours\nnode.id=2\n' },
    },
    {
      says: 'the volume has records of Kafka, but no meta.properties: restore that file, or use an empty volume',
      when: 'it lost its identity',
      files: { 'orders-0/00000000000000000000.log': '' },
    },
  ])('is refused and not formatted when $when', async ({ says, files }) => {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(join(at('data'), name, '..'), { recursive: true });
      await writeFile(join(at('data'), name), content);
    }
    expect(await refusal()).toBe(says);
    expect(existsSync(at('run/format'))).toBe(false);
  });

  test('is formatted anew after an interrupted format', async () => {
    await mkdir(at('data/__cluster_metadata-0'));
    await writeFile(at('data/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint'), '');
    await started(controller);
    expect(existsSync(at('run/format'))).toBe(true);
  });

  describe('beside others', () => {
    const both = () => ({
      KAFKA_NODE_PROPERTIES: `node.id=1\nlisteners=REPLICATION://:9091\nlog.dirs=${at('data')},${at('fast/data')}\n`,
    });
    const formatted = async () => (await text('run/format')).split('\n');
    const used = 'version=1\ncluster.id=-ours\nnode.id=1\n';

    test('is formatted with them', async () => {
      await started(both());
      expect(await formatted()).not.toContain('--ignore-formatted');
      expect(existsSync(at('fast/data'))).toBe(true);
    });

    test('is formatted alone if it was added later', async () => {
      await writeFile(at('data/meta.properties'), used);
      await started(both());
      expect(await formatted()).toContain('--ignore-formatted');
    });

    test('is formatted once', async () => {
      await mkdir(at('fast/data'), { recursive: true });
      for (const each of ['data', 'fast/data']) await writeFile(at(`${each}/meta.properties`), used);
      await started(both());
      expect(existsSync(at('run/format'))).toBe(false);
    });

    test.each([
      {
        says: 'the volume belongs to the node 2',
        files: { 'meta.properties': used.replace('node.id=1', 'node.id=2') },
      },
      { says: 'the volume has records of Kafka', files: { 'orders-0/0.log': '' } },
    ])('is refused: $says', async ({ says, files }) => {
      await writeFile(at('data/meta.properties'), used);
      for (const [name, content] of Object.entries(files)) {
        await mkdir(join(at('fast/data'), name, '..'), { recursive: true });
        await writeFile(join(at('fast/data'), name), content as string);
      }
      expect(await refusal(both())).toContain(says);
      expect(existsSync(at('run/format'))).toBe(false);
    });
  });

  test('that cannot be formatted ends the node with the reason and without the stack', async () => {
    expect(await refusal({ FAILS: '1' })).toBe('the volume cannot be formatted: Exception in thread "main" a reason');
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
    await vi.waitFor(() => expect(existsSync(at('run/node'))).toBe(true), { timeout: 30_000 });
    const renewed = certificateOf('RENEWED');
    await mount('nodes', { 'tls.key': key, 'tls.crt': renewed, 'ca.crt': certificateOf('AUTHORITY') });
    await vi.waitFor(async () => expect(await text('run/tls/nodes/keystore.pem')).toContain('RENEWED'), 30_000);
    await mount('nodes', { 'tls.key': 'an EC PRIVATE KEY', 'tls.crt': chain, 'ca.crt': '' });
    await vi.waitFor(() => expect(stderr()).toContain('is not a key in PKCS #8'), 30_000);
    expect(await text('run/tls/nodes/keystore.pem')).toContain('RENEWED');
    await pause(1000);
    await mount('nodes', { 'tls.key': key, 'tls.crt': certificateOf('THIRD'), 'ca.crt': '' });
    await vi.waitFor(async () => expect(await text('run/tls/nodes/keystore.pem')).toContain('THIRD'), 30_000);
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
    await vi.waitFor(() => expect(existsSync(at('run/node'))).toBe(true), { timeout: 30_000 });
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
