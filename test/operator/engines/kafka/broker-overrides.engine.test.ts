import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GivenKafka, kafkaAbsence } from '../../../given/kafka.js';
import { kafkaJars } from '../../../given/kafka-jars.js';
import { GivenEngine } from './given-engine.js';

const absence = await kafkaAbsence();
const run = promisify(execFile);

// The tests change one cluster, so they run in order.
describe.skipIf(absence !== undefined)('a broker with dynamic properties of its own', () => {
  let kafka: GivenKafka;
  let engine: GivenEngine;

  beforeAll(async () => {
    kafka = await GivenKafka.start();
    engine = new GivenEngine(kafka.operator, () => kafka.bootstrap);
  });
  afterAll(async () => {
    await engine?.[Symbol.asyncDispose]();
    await kafka?.[Symbol.asyncDispose]();
  });

  /** Runs the tool of Kafka as docs/kinds/kafka/commands.md has it. */
  async function alter(...args: readonly string[]): Promise<void> {
    const { host, port } = kafka.bootstrap[0] ?? { host: '', port: 0 };
    const { folder } = kafka.node(0);
    const settings = '(cat run/server.properties; echo security.protocol=SSL) > tool.properties';
    const jars = await kafkaJars('4.4.0');
    const tool = `java -Xmx64m -cp "${jars}/*" org.apache.kafka.tools.ConfigCommand`;
    const options = `--bootstrap-server ${host}:${port} --command-config tool.properties --alter --entity-type brokers`;
    await run('sh', ['-c', `${settings}\n${tool} ${options} --entity-name 0 ${args.join(' ')}`], { cwd: folder });
  }

  const overrides = async () => (await engine.cluster()).overrides;

  it('has none at first, nor after a property of all brokers and a reload of its certificates', async () => {
    await engine.changeCluster({ act: 'configure', set: { 'log.cleaner.threads': '2' }, remove: [] });
    await expect.poll(async () => (await engine.cluster()).config).toMatchObject({ 'log.cleaner.threads': '2' });
    await engine.changeCluster({ act: 'reload', node: 0, address: kafka.bootstrap[0] ?? { host: '', port: 0 } });
    expect(await overrides()).toBeUndefined();
  });

  it('has what the tool of Kafka sets, also after a restart, until the tool removes it', async () => {
    await alter('--add-config', 'compression.type=gzip,log.cleaner.threads=1');
    const names = ['compression.type', 'log.cleaner.threads'];
    await expect.poll(overrides, { timeout: 20_000 }).toEqual({ 0: names });
    await kafka.node(0).stop();
    await kafka.node(0).start();
    await expect.poll(() => overrides().catch(String), { timeout: 60_000 }).toEqual({ 0: names });
    await alter('--delete-config', names.join(','));
    await expect.poll(overrides, { timeout: 20_000 }).toBeUndefined();
  }, 300_000);
});
