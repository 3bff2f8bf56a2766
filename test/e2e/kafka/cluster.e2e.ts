import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LiveSecret, PersistentVolumeClaim, Secret } from '../../../operator/index.js';
import { figure, seconds } from '../algorithm/figure.js';
import { listed, read } from '../cluster/api.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { slower } from '../cluster/kill-mode.js';
import { isReady, Pod } from '../cluster/kinds.js';
import { kubectl } from '../cluster/kubectl.js';
import { metricsOf, sampleOf } from './node-metrics.js';
import { Producer, readAll } from './records.js';
import { small, TriedKafka, uidsOf } from './tried-kafka.js';

const namespace = givenNamespace('kafka');
const kafka = new TriedKafka(namespace, { ...small, version: '4.3', finalize: { after: '20s' } });
const isSettled = () => kafka.isSettled();
const partitionsOf = async (broker: string) =>
  sampleOf(await metricsOf(namespace, broker), 'kafka_server_replicamanager_partitioncount');

describe('lines 1 to 9: a KafkaCluster, a KafkaTopic and a KafkaUser', () => {
  let producer: Producer;
  let began: number;

  beforeAll(async () => {
    began = Date.now();
    await kafka.create();
  });
  afterAll(async () => {
    await producer?.[Symbol.asyncDispose]().catch(console.error);
    await kafka.end();
  });

  it(
    'line 1: serve a client with the Secret of the user',
    async () => {
      await kafka.until('the cluster is ready', isSettled);
      figure(1, `three controllers and three brokers after ${seconds(began, Date.now())}`);
      const zones = (await kafka.brokers()).map(({ spec: { nodeName } }) => nodeName);
      expect(new Set(zones).size).toBe(3);
      await kafka.untilUsable();
      producer = await Producer.start(kafka.site, 200);
      figure(1, `the first acknowledged record after ${seconds(began, Date.now())}`);
    },
    420_000 * slower,
  );

  it(
    'line 2: a broker and the active controller are deleted by force: no record is lost',
    async () => {
      const gone = async (name: string) => {
        const before = (await listed(Pod, { namespace })).find(({ metadata }) => metadata.name === name)?.metadata.uid;
        await kubectl(['--namespace', namespace, 'delete', 'pod', name, '--grace-period=0', '--force']);
        const isBack = async () => {
          const now = (await listed(Pod, { namespace })).find(({ metadata }) => metadata.name === name);
          return now !== undefined && now.metadata.uid !== before && isReady(now);
        };
        await kafka.until(`${name} is back`, isBack);
        await kafka.until('all replicas are in sync', isSettled);
      };
      await producer.during(2, 'broker 1 killed', () => gone('events-broker-1'));
      const active = await kafka.activeController();
      await producer.during(2, 'active controller killed', () => gone(`events-controller-${active}`));
    },
    600_000 * slower,
  );

  it(
    'lines 3 and 8: a property that needs a restart rolls every node once, and a dynamic one none',
    async () => {
      const before = uidsOf(await kafka.pods());
      await kafka.apply({ config: { 'log.retention.ms': '3600000' } });
      await kafka.until('the dynamic property is applied', isSettled);
      expect(uidsOf(await kafka.pods())).toEqual(before);
      const brokersBefore = (await kafka.brokers()).map(({ metadata }) => metadata.uid);
      await producer.during(3, 'all brokers replaced for a property', async () => {
        await kafka.apply({ config: { 'log.retention.ms': '3600000', 'queued.max.requests': '400' } });
        await kafka.until('all brokers have it', isSettled, 400);
      });
      const after = (await kafka.brokers()).map(({ metadata }) => metadata.uid);
      expect(after.filter((uid) => brokersBefore.includes(uid))).toEqual([]);
    },
    600_000 * slower,
  );

  it(
    'line 3: a broken image stops at the first Pod, and is taken back',
    async () => {
      await producer.during(3, 'a broken image and back', async () => {
        const before = uidsOf(await kafka.pods());
        const { image: _, ...earlier } = kafka.spec;
        try {
          await kafka.apply({ image: 'registry.alien6.io/reconstruct/kafka:broken' });
          const isStalled = async () => (await kafka.reasons())['UpToDate'] === 'RolloutStalled';
          await kafka.until('the rollout is stalled', isStalled);
          expect(uidsOf(await kafka.pods()).filter((uid) => !before.includes(uid))).toHaveLength(1);
        } finally {
          kafka.spec = earlier;
          await kafka.apply();
        }
        await kafka.until('all nodes run the earlier image', isSettled);
      });
    },
    600_000 * slower,
  );

  it(
    'line 6: 4.3 becomes 4.4, is finalized, and then cannot go back',
    async () => {
      const level = (await kafka.live())?.status?.metadataVersion ?? 0;
      await producer.during(6, 'all nodes upgraded from 4.3 to 4.4', async () => {
        await kafka.apply({ version: '4.4' });
        await kafka.until(
          'all nodes run 4.4',
          async () => (await isSettled()) && (await kafka.live())?.status?.version === '4.4',
          500,
        );
      });
      await kafka.until(
        'the version is finalized',
        async () => ((await kafka.live())?.status?.metadataVersion ?? 0) > level,
        120,
      );
      try {
        await kafka.apply({ version: '4.3' });
        const isRejected = async () => (await kafka.reasons())['Accepted'] === 'VersionFinalized';
        await kafka.until('the earlier version is rejected', isRejected);
      } finally {
        await kafka.apply({ version: '4.4' });
      }
      await kafka.until('the version is accepted', isSettled);
    },
    800_000 * slower,
  );

  it(
    'line 4: three brokers become four and three again: replicas move first, and nothing is lost',
    async () => {
      const { brokers: three } = small;
      await producer.during(4, '3 to 4 brokers', async () => {
        await kafka.apply({ brokers: { ...three, replicas: 4 } });
        // A broker is ready before the operator knows that it has no replicas.
        const hasShare = async () => (await isSettled()) && (await partitionsOf('events-broker-3').catch(() => 0)) > 0;
        await kafka.until('the new broker has its share', hasShare, 400);
      });
      await producer.during(4, '4 to 3 brokers', async () => {
        await kafka.apply({ brokers: three });
        await kafka.until(
          'the broker has left',
          async () => (await isSettled()) && (await kafka.brokers()).length === 3,
          400,
        );
      });
      const left = await listed(PersistentVolumeClaim, { namespace, labelSelector: 'reconstruct.dev/retired=removed' });
      expect(left.map(({ metadata }) => metadata.name)).toEqual(['events-broker-3']);
    },
    900_000 * slower,
  );

  it('every acknowledged record is there', async () => expect(await producer.lost()).toEqual([]), 400_000 * slower);

  it(
    'line 9: deleted and created again, it takes up its volumes with the same cluster ID and records',
    async () => {
      const id = (await kafka.live())?.status?.clusterId;
      const start = Date.now();
      await kubectl(['--namespace', namespace, 'delete', 'kcl', 'events', '--timeout=200s']);
      figure(9, `deleted after ${seconds(start, Date.now())}`);
      await kafka.apply();
      await kafka.until('the cluster is ready again', isSettled, 400);
      expect((await kafka.live())?.status?.clusterId).toBe(id);
      // The cluster has another CA, which reaches the Secret of the user.
      const authority = async (name: string) => {
        const secret = (await read(Secret, { namespace, name })) as LiveSecret | undefined;
        return secret?.data?.['ca.crt'] ?? '';
      };
      const isCurrent = async () => (await authority('shop')) === (await authority('events-nodes-tls'));
      await kafka.until('the Secret of the user has the new CA', isCurrent);
      expect((await readAll(kafka.site)).size).toBeGreaterThan(100);
    },
    900_000 * slower,
  );
});
