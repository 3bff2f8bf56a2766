import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { GivenKafka, kafkaAbsence } from '../../../given/kafka.js';
import { GivenEngine } from './given-engine.js';
import { produce } from './produced-records.js';

const absence = await kafkaAbsence();

// The tests change one cluster, so they run in order.
describe.skipIf(absence !== undefined)('a broker that gets another volume', () => {
  let kafka: GivenKafka;
  let engine: GivenEngine;
  const node = () => kafka.node(0);
  const folder = (name: string) => join(node().folder, name);
  const metaOf = async (name: string) => readFile(join(folder(name), 'meta.properties'), 'utf8');
  const replicasIn = async (name: string) => (await readdir(folder(name))).filter((one) => /^(old|new)-\d+$/.test(one));
  const inSync = (topic: string) =>
    vi.waitFor(async () => expect((await engine.topic(topic)).topic?.underReplicated).toBe(0), 60_000);

  beforeAll(async () => {
    kafka = await GivenKafka.start();
    engine = new GivenEngine(kafka.operator, () => kafka.bootstrap);
    await engine.changeTopic({ act: 'create', topic: 'old', partitions: 4, replication: 1, config: {} });
    await inSync('old');
    await produce(kafka, { topic: 'old', bytes: 500_000 });
  });
  afterAll(async () => {
    await engine?.[Symbol.asyncDispose]();
    await kafka?.[Symbol.asyncDispose]();
  });

  it('formats it alone, and keeps its records and its identity', async () => {
    const before = await metaOf('data');
    const { bytes } = (await engine.cluster()).load[0] ?? {};
    await node().stop();
    const own = node().props.properties.own.join('\n');
    await node().start({ KAFKA_NODE_PROPERTIES: `${own}\nlog.dirs=${folder('data')},${folder('fast')}\n` });
    expect(await metaOf('data')).toBe(before);
    const [first, second] = [before, await metaOf('fast')].map((text) => /^directory\.id=(.+)$/m.exec(text)?.[1]);
    expect(second).toBeDefined();
    expect(second).not.toBe(first);
    expect(await metaOf('fast')).toContain(`cluster.id=${kafka.clusterId}`);
    await inSync('old');
    await vi.waitFor(async () => expect((await engine.cluster()).load[0]?.bytes).toBe(bytes), 60_000);
    expect(await replicasIn('data')).toHaveLength(4);
  });

  it('reports both, and places new partitions on it', async () => {
    await engine.changeTopic({ act: 'create', topic: 'new', partitions: 4, replication: 1, config: {} });
    await inSync('new');
    const { volumes = [] } = (await engine.cluster()).load[0] ?? {};
    expect(volumes.map(({ directory }) => directory).toSorted()).toEqual([folder('data'), folder('fast')]);
    for (const { size } of volumes) expect(size?.total).toBeGreaterThan(size?.usable ?? Number.POSITIVE_INFINITY);
    await vi.waitFor(
      async () => expect((await replicasIn('fast')).toSorted()).toEqual(['new-0', 'new-1', 'new-2', 'new-3']),
      60_000,
    );
    await produce(kafka, { topic: 'new', bytes: 500_000 });
  });

  it('starts with both again', async () => {
    const before = await metaOf('fast');
    await node().stop();
    const own = node().props.properties.own.join('\n');
    await node().start({ KAFKA_NODE_PROPERTIES: `${own}\nlog.dirs=${folder('data')},${folder('fast')}\n` });
    expect(await metaOf('fast')).toBe(before);
    await inSync('new');
  });
});
