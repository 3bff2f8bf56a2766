import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CertificateAuthority } from '../../../../operator/certificates/authority.js';
import { fingerprintOf } from '../../../../operator/certificates/reading.js';
import { hostHandshakesSource } from '../../../../operator/engines/consumers/handshake-source.js';
import type { KafkaAddress } from '../../../../operator/kafka/access.js';
import type { Source } from '../../../../operator/runtime/ports/external-port.js';
import { GivenKafka, identityOf, kafkaAbsence } from '../../../given/kafka.js';
import type { Identity } from '../../../given/kafka-node.js';
import { answers } from '../../../images/kafka/handshake.js';
import { GivenEngine } from './given-engine.js';

const absence = await kafkaAbsence();

/** What the operator sees at a port, where it logs in with no certificate. */
async function presented({ host, port }: KafkaAddress): Promise<unknown> {
  const ask = hostHandshakesSource.source as Source<object, Readonly<Record<string, object>>>;
  const answer = await ask({ endpoints: [{ host, port }] }, { signal: AbortSignal.timeout(5_000) });
  return answer[`${host}:${port}`];
}

const shown = ({ certificate }: Identity) => ({ fingerprint: fingerprintOf(new X509Certificate(certificate)) });

/** The listener of users has a certificate of its own. */
const config = {
  'listener.name.internal.ssl.keystore.type': 'PEM',
  'listener.name.internal.ssl.keystore.location': 'RUN/tls/internal/keystore.pem',
};

// The tests change one cluster, so they run in order.
describe.skipIf(absence !== undefined).each(['4.4.0', '4.3.1'])('nodes of Kafka %s', (version) => {
  let kafka: GivenKafka;
  let engine: GivenEngine;
  let other: CertificateAuthority;

  beforeAll(async () => {
    other = await CertificateAuthority.create(365, 'another');
    const identities = { internal: await identityOf(other, 'events') };
    kafka = await GivenKafka.start({ version, controllers: 2, brokers: 2, identities, config });
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
  const reload = async (id: number) => {
    const address = addressOf(id < 1000 ? id : (await engine.cluster()).quorum.leader);
    await engine.changeCluster({ act: 'reload', node: id, address });
  };
  /** The launcher writes the files that Kafka reads, some seconds after they were mounted. */
  const untilLoaded = (id: number, renewed: Identity, at = addressOf(id)) =>
    expect
      .poll(
        async () => {
          await reload(id);
          return presented(at);
        },
        { timeout: 120_000, interval: 1_000 },
      )
      .toEqual(shown(renewed));

  it.each([0, 1000, 1001])('node %i presents a renewed certificate after a reload, and not before', async (id) => {
    const renewed = await identityOf(kafka.authority, 'events-nodes');
    expect(await presented(addressOf(id))).toEqual(shown(kafka.own));
    await kafka.node(id).mount('nodes', renewed);
    // The launcher looks every five seconds.
    await new Promise((resolve) => setTimeout(resolve, 7_000));
    expect(await presented(addressOf(id))).toEqual(shown(kafka.own));
    await untilLoaded(id, renewed);
  });

  it('a listener presents a renewed certificate of its own, with other names', async () => {
    const renewed = await identityOf(other, 'events-renewed');
    await kafka.node(1).mount('internal', renewed);
    await untilLoaded(1, renewed, kafka.users[1]);
    expect(await presented(addressOf(1))).toEqual(shown(kafka.own));
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
    const ids = [1000, 1001];
    await Promise.all(ids.map((id) => kafka.node(id).mount('nodes', foreign)));
    await Promise.all(ids.map((id) => kafka.node(id).kill()));
    await Promise.all(ids.map((id) => kafka.node(id).start()));
    const log = async () => (await broker.log()).slice(before);
    // Its heartbeats already trust the other authority. The client of the quorum does not.
    await expect.poll(log, { timeout: 120_000 }).toMatch(/FetchRequestData.*\n.*SslAuthenticationException/);
    // To stop in order, it would have to reach a controller that became the leader meanwhile.
    await broker.kill();
    await broker.start();
    expect(broker.running).toBe(true);
  });
});
