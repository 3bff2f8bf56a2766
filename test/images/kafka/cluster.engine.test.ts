import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CertificateAuthority } from '../../../operator/certificates/authority.js';
import { freePort } from '../../../operator/testing/control-plane/free-port.js';
import { GivenKafka, identityOf, kafkaAbsence } from '../../given/kafka.js';
import { kafkaJars } from '../../given/kafka-jars.js';
import { brokerMetrics, controllerMetrics } from '../../given/kafka-metrics.js';
import { answers, shownSerial } from './handshake.js';

const absence = await kafkaAbsence();
const describeKafka = absence === undefined ? describe : describe.skip;
if (absence !== undefined) console.error(`skipped: ${absence}`);

describeKafka('three controllers and three brokers', () => {
  let kafka: GivenKafka;
  /** Nodes that export metrics, with their ports. */
  const metrics = new Map<number, number>();
  beforeAll(async () => {
    kafka = await GivenKafka.start({ version: '4.3.1', controllers: 3, brokers: 3, racks: ['a', 'b', 'c'] });
  });
  afterAll(() => kafka?.[Symbol.asyncDispose]());

  test.each([
    { is: true, client: 'the operator', of: ({ operator }: GivenKafka) => operator },
    { is: true, client: 'a node', of: ({ own }: GivenKafka) => own },
    { is: false, client: 'a client without certificate', of: ({ operator: { ca } }: GivenKafka) => ({ ca }) },
    {
      is: false,
      client: 'a client of another authority',
      of: async ({ operator: { ca } }: GivenKafka) => {
        const other = await CertificateAuthority.create();
        return { ...(await identityOf(other, 'events-operator')), ca };
      },
    },
  ])('answer $client: $is', async ({ is, of }) => {
    const client = await of(kafka);
    for (const address of [...kafka.controllers, ...kafka.bootstrap]) expect(await answers(address, client)).toBe(is);
  });

  test('answer users without certificate on their own listener', async () => {
    for (const address of kafka.users) expect(await answers(address, { ca: kafka.operator.ca })).toBe(true);
  });

  test('log no properties', async () => {
    for (const id of kafka.ids) expect(await kafka.node(id).log()).not.toMatch(/keystore\.location|KafkaConfig values/);
  });

  test.each([
    { node: 'a broker', id: 0 },
    { node: 'a controller', id: 1000 },
  ])('$node exits with 143 after SIGTERM, and comes back with its volume and a renewed certificate', async ({ id }) => {
    const node = kafka.node(id);
    const volume = () => readFile(join(node.folder, 'data', 'meta.properties'), 'utf8');
    const before = await volume();
    expect(await node.stop()).toBe(143);
    expect(await node.message()).toBe('');
    const renewed = await identityOf(kafka.authority, 'events-nodes');
    await node.mount('nodes', renewed);
    await node.start();
    expect(await volume()).toBe(before);
    const address = id < 1000 ? kafka.bootstrap[0] : kafka.controllers[0];
    const { serialNumber } = new X509Certificate(renewed.certificate);
    expect(address && (await shownSerial(address, kafka.operator))).toBe(serialNumber);
  });

  test('a broker that is killed comes back', async () => {
    await kafka.node(1).kill();
    await kafka.node(1).start();
    expect(kafka.node(1).running).toBe(true);
  });

  test('a volume of another cluster is refused, and stays as it is', async () => {
    const node = kafka.node(2);
    const volume = () => readFile(join(node.folder, 'data', 'meta.properties'), 'utf8');
    const before = await volume();
    await node.stop();
    await node.launch({ KAFKA_CLUSTER_ID: 'AAAAAAAAAAAAAAAAAAAAAA' });
    expect(await node.exited()).toBe(1);
    expect(await node.message()).toMatch(
      new RegExp(
        `^the volume belongs to the Kafka cluster ${kafka.clusterId}, not to A+: use a volume of this cluster`,
      ),
    );
    expect(await volume()).toBe(before);
    await node.start();
  });

  test('a broker that cannot listen leaves the reason in its termination message', async () => {
    const node = kafka.node(2);
    await node.stop();
    const other = createServer();
    await new Promise<void>((done) => other.listen(kafka.bootstrap[2]?.port, '127.0.0.1', done));
    try {
      await node.launch();
      expect(await node.exited()).not.toBe(0);
      expect(await node.message()).toMatch(/Socket server failed to bind to 127\.0\.0\.1:\d+: Address already in use/);
      expect(await node.message()).not.toMatch(/^\tat /m);
    } finally {
      other.close();
    }
    await node.start();
  });

  test('nodes of 4.4.0 take up the volumes of 4.3.1, one at a time', async () => {
    const jars = { KAFKA_JARS: await kafkaJars('4.4.0') };
    const rules = { KAFKA_METRICS_RULES: resolve('images/kafka/metrics.yaml') };
    for (const id of [0, 1000]) {
      const port = await freePort();
      metrics.set(id, port);
      await kafka.node(id).stop();
      await kafka.node(id).start({ ...jars, ...rules, KAFKA_METRICS_PORT: `127.0.0.1:${port}` });
      expect(await kafka.node(id).log()).toContain('Kafka version: 4.4.0');
    }
  });

  test.each([
    { node: 'a broker', id: 0, names: brokerMetrics },
    { node: 'a controller', id: 1000, names: controllerMetrics },
  ])('$node exports the metrics of dashboards', async ({ id, names }) => {
    // Brokers without topics, and controllers that follow, get no request of other nodes.
    for (const address of [...kafka.controllers, ...kafka.bootstrap])
      expect(await answers(address, kafka.operator)).toBe(true);
    await expect
      .poll(async () => {
        const exported = new Set((await scraped(metrics.get(id))).map((line) => line.split(/[{ ]/)[0]));
        return names.filter((name) => !exported.has(name));
      })
      .toEqual([]);
    const lines = await scraped(metrics.get(id));
    expect(lines.join('\n')).toMatch(/^kafka_server_raftmetrics_current_state\{.*current_state="\w+".*\} 1\.0$/m);
    expect(lines.length).toBeLessThan(2500);
  });
});

/** The samples that a node exports. */
async function scraped(port: number | undefined): Promise<readonly string[]> {
  const { body } = await request(`http://127.0.0.1:${port}/metrics`);
  return (await body.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}
