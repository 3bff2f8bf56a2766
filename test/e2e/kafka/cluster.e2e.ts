import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KafkaClusterResource, kafkaClusterKind } from '../../../imports/index.js';
import { type LiveSecret, PersistentVolumeClaim, Secret } from '../../../operator/index.js';
import { until } from '../../chaos/wait.js';
import { figure, seconds } from '../algorithm/figure.js';
import { listed, read } from '../cluster/api.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { slower } from '../cluster/kill-mode.js';
import { isReady, Pod } from '../cluster/kinds.js';
import { applied, kubectl } from '../cluster/kubectl.js';
import { Producer, readAll, type Sent } from './records.js';

const namespace = givenNamespace('kafka');
const apiVersion = 'reconstruct.dev/v1alpha1';
const site = { namespace, topic: 'orders', secret: 'shop' };
const small = (memory: string) => ({ requests: { cpu: '50m', memory }, limits: { cpu: '2', memory } });

/** Small enough for three machines on two cores. */
const least = {
  version: '4.3',
  finalize: { after: '20s' },
  controllers: { resources: small('400Mi') },
  brokers: { replicas: 3, storage: { size: '1Gi' }, resources: small('640Mi') },
};
let spec: object = least;

function cluster(changes: object = {}): object {
  spec = { ...spec, ...changes };
  return { apiVersion, kind: 'KafkaCluster', metadata: { namespace, name: 'events' }, spec };
}
const reference = { cluster: { name: 'events' } };
const topic = {
  ...{ apiVersion, kind: 'KafkaTopic', metadata: { namespace, name: 'orders' } },
  spec: { ...reference, partitions: 6 },
};
const user = {
  ...{ apiVersion, kind: 'KafkaUser', metadata: { namespace, name: 'shop' } },
  spec: {
    ...reference,
    acls: [
      { resource: { type: 'Topic', name: 'orders' }, operations: ['Read', 'Write', 'Describe'] },
      { resource: { type: 'Group', name: 'shop', patternType: 'Prefixed' }, operations: ['Read'] },
    ],
  },
};

const live = async () =>
  (await read(kafkaClusterKind, { namespace, name: 'events' })) as KafkaClusterResource | undefined;
let latest = '';
/** True if every condition of the latest spec is true, other than those that are named. */
async function isSettled(...except: readonly string[]): Promise<boolean> {
  const found = await live();
  const conditions = found?.status?.conditions ?? [];
  latest = conditions.map(({ type, reason, message }) => `${type} ${reason}: ${message}`).join('; ');
  const isCurrent = found?.status?.observedGeneration === found?.metadata.generation;
  const names = ['Provisioned', 'Available', 'Replicated', 'UpToDate', 'Balanced'].filter(
    (one) => !except.includes(one),
  );
  return isCurrent && names.every((name) => conditions.some(({ type, status }) => type === name && status === 'True'));
}
const waitFor = (what: string, isSo: () => Promise<boolean>, within = 240) =>
  until(isSo, { what, within: within * 1000 * slower, every: 1_000, instead: () => latest });
const pods = (selector: string) =>
  listed(Pod, { namespace, labelSelector: `reconstruct.dev/kafka-cluster=events,${selector}` });
const brokers = () => pods('reconstruct.dev/kafka-role=broker');
const uids = async () =>
  (await pods('reconstruct.dev/kafka-cluster=events')).map(({ metadata }) => metadata.uid).toSorted();

describe('lines 1 to 9: a KafkaCluster, a KafkaTopic and a KafkaUser', () => {
  let producer: Producer;
  let began: number;
  /** What the producer sent during a change, which must lose nothing. */
  const during = async (line: number, what: string, change: () => Promise<unknown>): Promise<Sent> => {
    const start = Date.now();
    await change();
    const sent = producer.sent(start);
    figure(
      line,
      `${what}: ${seconds(start, Date.now())}, longest gap ${sent.longestGap} ms, ${sent.acknowledged.size} acknowledged`,
    );
    return sent;
  };

  beforeAll(async () => {
    began = Date.now();
    await applied(cluster(), topic, user);
  });
  afterAll(async () => {
    await producer?.[Symbol.asyncDispose]();
    await kubectl(['--namespace', namespace, 'delete', 'ktopic,kuser,kcl', '--all', '--wait=false']);
  });

  it(
    'line 1: serve a client with the Secret of the user',
    async () => {
      await waitFor('the cluster is ready', isSettled);
      figure(1, `three controllers and three brokers after ${seconds(began, Date.now())}`);
      const zones = (await brokers()).map(({ spec: { nodeName } }) => nodeName);
      expect(new Set(zones).size).toBe(3);
      await kubectl([
        '--namespace',
        namespace,
        'wait',
        'ktopic/orders',
        'kuser/shop',
        '--for=condition=Ready',
        '--timeout=120s',
      ]);
      producer = await Producer.start(site, 200);
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
        await waitFor(`${name} is back`, isBack);
        await waitFor('all replicas are in sync', isSettled);
      };
      await during(2, 'broker 1 killed', () => gone('events-broker-1'));
      const active = (await live())?.status?.activeController;
      await during(2, 'active controller killed', () => gone(`events-controller-${active}`));
    },
    600_000 * slower,
  );

  it(
    'lines 3 and 8: a property that needs a restart rolls every node once, and a dynamic one none',
    async () => {
      const before = await uids();
      await applied(cluster({ config: { 'log.retention.ms': '3600000' } }));
      await waitFor('the dynamic property is applied', isSettled);
      expect(await uids()).toEqual(before);
      const brokersBefore = (await brokers()).map(({ metadata }) => metadata.uid);
      await during(3, 'all brokers replaced for a property', async () => {
        await applied(cluster({ config: { 'log.retention.ms': '3600000', 'queued.max.requests': '400' } }));
        await waitFor('all brokers have it', isSettled, 400);
      });
      const after = (await brokers()).map(({ metadata }) => metadata.uid);
      expect(after.filter((uid) => brokersBefore.includes(uid))).toEqual([]);
    },
    600_000 * slower,
  );

  it(
    'line 3: a broken image stops at the first Pod, and is taken back',
    async () => {
      await during(3, 'a broken image and back', async () => {
        const before = await uids();
        await applied(cluster({ image: 'registry.alien6.io/reconstruct/kafka:broken' }));
        await waitFor('the rollout is stalled', async () => {
          await isSettled();
          return latest.includes('RolloutStalled');
        });
        expect((await uids()).filter((uid) => !before.includes(uid))).toHaveLength(1);
        spec = { ...spec, image: undefined };
        await applied(cluster());
        await waitFor('all nodes run the earlier image', isSettled);
      });
    },
    600_000 * slower,
  );

  it(
    'line 6: 4.3 becomes 4.4, is finalized, and then cannot go back',
    async () => {
      const level = (await live())?.status?.metadataVersion ?? 0;
      await during(6, 'all nodes upgraded from 4.3 to 4.4', async () => {
        await applied(cluster({ version: '4.4' }));
        await waitFor(
          'all nodes run 4.4',
          async () => (await isSettled()) && (await live())?.status?.version === '4.4',
          500,
        );
      });
      await waitFor(
        'the version is finalized',
        async () => ((await live())?.status?.metadataVersion ?? 0) > level,
        120,
      );
      await applied(cluster({ version: '4.3' }));
      await waitFor('the earlier version is rejected', async () => {
        await isSettled();
        return latest.includes('Accepted VersionFinalized');
      });
      await applied(cluster({ version: '4.4' }));
      await waitFor('the version is accepted', isSettled);
    },
    800_000 * slower,
  );

  it(
    'line 4: three brokers become four and three again: replicas move first, and nothing is lost',
    async () => {
      const { brokers: three } = least;
      await during(4, '3 to 4 brokers', async () => {
        await applied(cluster({ brokers: { ...three, replicas: 4 } }));
        await waitFor('the new broker has its share', isSettled, 400);
      });
      await during(4, '4 to 3 brokers', async () => {
        await applied(cluster({ brokers: three }));
        await waitFor('the broker has left', async () => (await isSettled()) && (await brokers()).length === 3, 400);
      });
      const left = await listed(PersistentVolumeClaim, { namespace, labelSelector: 'reconstruct.dev/retired=removed' });
      expect(left.map(({ metadata }) => metadata.name)).toEqual(['events-broker-3']);
    },
    900_000 * slower,
  );

  it(
    'every acknowledged record is there',
    async () => {
      await producer[Symbol.asyncDispose]();
      const { acknowledged, errors } = producer.sent();
      const values = await readAll(site);
      const lost = [...acknowledged].filter((value) => !values.has(value));
      figure(
        2,
        `${acknowledged.size} acknowledged, ${values.size} read, ${lost.length} lost; errors: ${JSON.stringify(errors)}`,
      );
      expect(lost).toEqual([]);
    },
    400_000 * slower,
  );

  it(
    'line 9: deleted and created again, it takes up its volumes with the same cluster ID and records',
    async () => {
      const id = (await live())?.status?.clusterId;
      const start = Date.now();
      await kubectl(['--namespace', namespace, 'delete', 'kcl', 'events', '--timeout=200s']);
      figure(9, `deleted after ${seconds(start, Date.now())}`);
      await applied(cluster());
      await waitFor('the cluster is ready again', isSettled, 400);
      expect((await live())?.status?.clusterId).toBe(id);
      // The cluster has another CA, which reaches the Secret of the user.
      const authority = async (name: string) => {
        const secret = (await read(Secret, { namespace, name })) as LiveSecret | undefined;
        return secret?.data?.['ca.crt'] ?? '';
      };
      const isCurrent = async () => (await authority('shop')) === (await authority('events-nodes-tls'));
      await waitFor('the Secret of the user has the new CA', isCurrent);
      expect((await readAll(site)).size).toBeGreaterThan(100);
    },
    900_000 * slower,
  );
});
