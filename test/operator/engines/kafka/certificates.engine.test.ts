import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CertificateAuthority } from '../../../../operator/certificates/authority.js';
import { GivenKafka, identityOf, kafkaAbsence } from '../../../given/kafka.js';
import type { Identity } from '../../../given/kafka-node.js';
import { answers, shownSerial } from '../../../images/kafka/handshake.js';
import { GivenEngine } from './given-engine.js';

const absence = await kafkaAbsence();

// The tests change one cluster, so they run in order.
describe.skipIf(absence !== undefined).each(['4.4.0', '4.3.1'])('nodes of Kafka %s', (version) => {
  let kafka: GivenKafka;
  let engine: GivenEngine;
  let other: CertificateAuthority;

  beforeAll(async () => {
    other = await CertificateAuthority.create(365, 'another');
    kafka = await GivenKafka.start({ version, controllers: 1, brokers: 2 });
    engine = new GivenEngine(kafka.operator, () => kafka.bootstrap);
  });
  afterAll(async () => {
    await engine?.[Symbol.asyncDispose]();
    await kafka?.[Symbol.asyncDispose]();
  });

  const addressOf = (id: number) => {
    const address = id < 1000 ? kafka.bootstrap[id] : kafka.controllers[id - 1000];
    if (!address) throw new Error(`there is no node ${id}`);
    return address;
  };
  const reload = (id: number) => engine.changeCluster({ act: 'reload', node: id, address: addressOf(id) });
  /** The launcher writes the files that Kafka reads, some seconds after they were mounted. */
  const untilLoaded = (id: number, { certificate }: Identity) =>
    expect
      .poll(
        async () => {
          await reload(id);
          return shownSerial(addressOf(id), kafka.operator);
        },
        { timeout: 30_000, interval: 1_000 },
      )
      .toBe(new X509Certificate(certificate).serialNumber);

  it.each([0, 1000])('node %i shows a renewed certificate after a reload, and not before', async (id) => {
    const renewed = await identityOf(kafka.authority, 'events-nodes');
    const { serialNumber } = new X509Certificate(renewed.certificate);
    await kafka.node(id).mount('nodes', renewed);
    // The launcher looks every five seconds.
    await new Promise((resolve) => setTimeout(resolve, 7_000));
    expect(await shownSerial(addressOf(id), kafka.operator)).not.toBe(serialNumber);
    await untilLoaded(id, renewed);
    const users = kafka.users[id];
    if (users) expect(await shownSerial(users, kafka.operator)).toBe(serialNumber);
  });

  it.each([0, 1000])('node %i trusts another authority after a reload, and not before', async (id) => {
    const client = { ...(await identityOf(other, 'events-operator')), ca: kafka.operator.ca };
    const both = `${kafka.operator.ca}${other.own.certificate}`;
    const renewed = { ...(await identityOf(kafka.authority, 'events-nodes')), ca: both };
    await kafka.node(id).mount('nodes', renewed);
    expect(await answers(addressOf(id), client)).toBe(false);
    await untilLoaded(id, renewed);
    expect(await answers(addressOf(id), client)).toBe(true);
    expect(await answers(addressOf(id), kafka.operator)).toBe(true);
  });

  it('a broker reaches a controller of another authority after it starts again, and not before', async () => {
    const both = `${kafka.operator.ca}${other.own.certificate}`;
    const foreign = { ...(await identityOf(other, 'events-nodes')), ca: both };
    const broker = kafka.node(0);
    const before = (await broker.log()).length;
    await kafka.node(1000).mount('nodes', foreign);
    await kafka.node(1000).kill();
    await kafka.node(1000).start();
    const log = async () => (await broker.log()).slice(before);
    // Its heartbeats already trust the other authority. The client of the quorum does not.
    await expect.poll(log, { timeout: 30_000 }).toMatch(/FetchRequestData.*\n.*SslAuthenticationException/);
    await broker.stop();
    await broker.start();
    expect(broker.running).toBe(true);
  });
});
