import { once } from 'node:events';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Job, PersistentVolumeClaim } from '../../../operator/index.js';
import { projectImage } from '../../images/project-images.js';
import { listed } from '../cluster/api.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { slower } from '../cluster/kill-mode.js';
import type { LivePod } from '../cluster/kinds.js';
import { kubectl } from '../cluster/kubectl.js';
import { metricsOf, sampleOf } from './node-metrics.js';
import { Producer } from './records.js';
import { small, TriedKafka, uidsOf } from './tried-kafka.js';

const namespace = givenNamespace('kafka-operations');
const kafka = new TriedKafka(namespace, small);
const isSettled = () => kafka.isSettled();
/** The brokers after the second one was drained and removed. */
const left = [0, 2, 3].map((id) => `events-broker-${id}`);
const annotate = (...args: readonly string[]) =>
  kubectl(['--namespace', namespace, 'annotate', '--overwrite', ...args]);

/** Serial number of the certificate that a Pod shows on the port of clients. */
async function serialOf({ metadata, status }: LivePod): Promise<string> {
  const { podIP = '' } = status ?? {};
  // Only the number is read, and nothing is sent.
  const socket = connect({ host: podIP, port: 9092, servername: metadata.name, rejectUnauthorized: false });
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerCertificate().serialNumber;
  } finally {
    socket.destroy();
  }
}

const serials = async () => Promise.all((await kafka.brokers()).map(serialOf));

describe('lines 3, 4 and 7: hooks, drained brokers, renewed certificates and more volumes', () => {
  let producer: Producer;

  beforeAll(async () => {
    await kafka.begin();
    producer = await Producer.start(kafka.site, 200);
  }, 420_000 * slower);
  afterAll(async () => {
    await producer?.[Symbol.asyncDispose]().catch(console.error);
    await kafka.end();
  });

  it(
    'line 3: a Job runs before each restart, and delays it until it is complete',
    async () => {
      const before = await kafka.brokers();
      const command = ['sh', '-c', 'echo "$HOOK_NAME of $HOOK_POD"; sleep 5'];
      const job = { image: projectImage('kafka', '4.4.0'), command };
      const completed = new Set<string>();
      await producer.during(3, 'all brokers replaced, each after a Job', async () => {
        await kafka.apply({ hooks: { preRestart: { job } }, config: { 'queued.max.requests': '450' } });
        const isDone = async () => {
          for (const { metadata, status } of await listed(Job, { namespace })) {
            const isComplete = status?.conditions?.some(({ type, status: is }) => type === 'Complete' && is === 'True');
            if (isComplete) completed.add(metadata.name);
          }
          const now = uidsOf(await kafka.brokers());
          return now.length === 3 && !uidsOf(before).some((uid) => now.includes(uid)) && (await isSettled());
        };
        await kafka.until('all brokers are replaced', isDone, 700);
      });
      expect([...completed], 'one Job for each broker').toHaveLength(3);
      const { hooks: _, ...spec } = kafka.spec;
      kafka.spec = spec;
      await kafka.apply();
      await kafka.until('the cluster has no hooks', isSettled);
    },
    900_000 * slower,
  );

  it(
    'line 4: a broker that is drained has no replicas, and leaves first',
    async () => {
      const replicas = async () =>
        sampleOf(await metricsOf(namespace, 'events-broker-1'), 'kafka_server_replicamanager_partitioncount');
      await producer.during(4, 'a fourth broker, and broker 1 drained and removed', async () => {
        await kafka.apply({ brokers: { ...small.brokers, replicas: 4 } });
        await kafka.until('the fourth broker has its share', isSettled, 300);
        await annotate('kcl', 'events', 'reconstruct.dev/drain=1');
        await kafka.until('broker 1 has no replicas', async () => (await replicas()) === 0, 300);
        expect((await kafka.brokers()).length).toBe(4);
        await kafka.apply({ brokers: small.brokers });
        await kafka.until(
          'three brokers are left',
          async () => (await isSettled()) && (await kafka.brokers()).length === 3,
          300,
        );
        await annotate('kcl', 'events', 'reconstruct.dev/drain-');
      });
      const names = (await kafka.brokers()).map(({ metadata }) => metadata.name).toSorted();
      expect(names).toEqual(left);
    },
    900_000 * slower,
  );

  it(
    'a renewed certificate is loaded without a restart',
    async () => {
      const [before, old] = [uidsOf(await kafka.pods()), await serials()];
      await producer.during(1, 'renewed certificates loaded', async () => {
        await annotate('certificate', 'events-nodes-tls', `reconstruct.dev/renew=${Date.now()}`);
        const areNew = async () => !(await serials()).some((serial) => old.includes(serial));
        await kafka.until('all brokers show another certificate', areNew, 300);
        await kafka.until('the cluster is settled', isSettled);
      });
      expect(uidsOf(await kafka.pods()), 'no Pod may be replaced').toEqual(before);
    },
    600_000 * slower,
  );

  it(
    'line 7: each broker gets another volume, one broker after another',
    async () => {
      await producer.during(7, 'another volume for each broker', async () => {
        const storage = { size: '1Gi', additionalVolumes: [{ name: 'disk2', size: '1Gi' }] };
        await kafka.apply({ brokers: { ...small.brokers, storage } });
        await kafka.until('all brokers have it', isSettled, 500);
      });
      const claims = (await listed(PersistentVolumeClaim, { namespace })).map(({ metadata }) => metadata.name);
      expect(claims.filter((name) => name.endsWith('-disk2')).toSorted()).toEqual(left.map((name) => `${name}-disk2`));
      const nodes = (await kafka.live())?.status?.nodes?.filter(({ volumes }) => (volumes ?? []).length === 2) ?? [];
      expect(nodes.map(({ name }) => name)).toHaveLength(3);
    },
    700_000 * slower,
  );

  it('every acknowledged record is there', async () => expect(await producer.lost()).toEqual([]), 400_000 * slower);
});
