import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cordon, deleteByForce, uncordon } from '../cluster/faults.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { applied, kubectl } from '../cluster/kubectl.js';
import { AlertWatch, unwatched, watchNote } from '../monitoring/alert-watch.js';
import { ConsumerGroup } from './consumer-group.js';
import { small, TriedKafka } from './tried-kafka.js';

const namespace = givenNamespace('kafka-watched');
/** One controller: only brokers are lost here. */
const kafka = new TriedKafka(namespace, { ...small, controllers: { ...small.controllers, replicas: 1 } });
const cluster = { namespace, name: kafka.name };
const apiVersion = 'reconstruct.dev/v1alpha1';

const partOf = (kind: 'KafkaTopic' | 'KafkaUser') => (name: string, spec: object) =>
  applied({ apiVersion, kind, metadata: { namespace, name }, spec: { cluster: kafka.reference, ...spec } });
const topic = partOf('KafkaTopic');
const user = partOf('KafkaUser');
const drain = (value: string) =>
  kubectl(['--namespace', namespace, 'annotate', '--overwrite', 'kcl', kafka.name, `reconstruct.dev/drain${value}`]);

/** The rule is about more than 100,000 records. */
const late = new ConsumerGroup({ namespace, topic: 'backlog', secret: 'late' }, 'late', 120_000);
const behind = { alertname: 'ConsumerBehind', ...cluster, consumergroup: late.name, topic: late.site.topic };

/** Alerts that do not fire here. `test/monitoring/kafka.test.yaml` has their series for promtool. */
const untried = {
  KafkaVolumeFilling: 'the volumes of the laboratory have no size of their own, so none can be filled',
};

describe.skipIf(unwatched)(`line 13: the alerts of Kafka in a real Prometheus${watchNote}`, () => {
  let watch: AlertWatch;
  /** Nodes that take no Pods. */
  const closed = new Set<string>();
  const reopen = async () => {
    for (const node of closed) await uncordon(node);
    closed.clear();
  };
  /** Stops a broker whose volume is on one node, until that takes Pods again. */
  const lose = async (broker: string) => {
    const pod = (await kafka.brokers()).find(({ metadata }) => metadata.name === broker);
    if (pod?.spec.nodeName === undefined) throw new Error(`${broker} has no node`);
    closed.add(pod.spec.nodeName);
    await cordon(pod.spec.nodeName);
    await deleteByForce(pod);
  };

  beforeAll(async () => {
    await kafka.create();
    await topic('backlog', { partitions: 1 });
    // Without replicas, a lost broker takes its partitions with it.
    await topic('single', { partitions: 3, replication: 1, config: { 'min.insync.replicas': '1' } });
    const acls = [
      { resource: { type: 'Topic', name: late.site.topic }, operations: ['Read', 'Write', 'Describe'] },
      { resource: { type: 'Group', name: late.name }, operations: ['Read'] },
    ];
    await user('late', { acls });
    await kafka.until('the cluster is ready', () => kafka.isSettled());
    const ready = ['ktopic/backlog', 'ktopic/single', 'kuser/late', '--for=condition=Ready', '--timeout=120s'];
    await kubectl(['--namespace', namespace, 'wait', ...ready]);
    watch = await AlertWatch.start('kafka', 13);
    await watch.untilCalm(namespace);
  }, 420_000);
  afterAll(async () => {
    await reopen();
    await kafka.end();
    await watch?.stop();
  });

  it('what Kafka or the operator refuses', async () => {
    await Promise.all([
      late.fallBehind(),
      watch.show({
        alert: { alertname: 'KafkaChangeStuck', reason: 'PropertyRefused' },
        begin: () => kafka.apply({ config: { 'log.retention.ms': 'never' } }),
        end: () => kafka.apply({ config: {} }),
      }),
      watch.show({
        alert: { alertname: 'KafkaRebalanceStuck', reason: 'DrainRefused' },
        begin: () => drain('=second'),
        end: () => drain('-'),
      }),
      watch.show({
        alert: { alertname: 'KafkaTopicWrong', reason: 'Refused' },
        begin: () => topic('wrong', { config: { 'retention.ms': 'never' } }),
        end: () => topic('wrong', { config: { 'retention.ms': '3600000' } }),
      }),
      watch.show({
        alert: { alertname: 'KafkaUserRefused', condition: 'Authenticated', reason: 'ClusterNotFound' },
        begin: () => user('stray', { cluster: { name: 'elsewhere' } }),
        end: () => kubectl(['--namespace', namespace, 'delete', 'kuser', 'stray', '--timeout=60s']),
      }),
    ]);
  });

  it('a consumer group that is more than 100,000 records behind', async () => {
    // The operator asks for the lag once a minute.
    await watch.untilFiring(behind, { within: 90 });
    await late.catchUp();
  });

  it('lost brokers', async () => {
    const offline = { alertname: 'KafkaUnavailable', reason: 'PartitionsOffline' };
    const lagging = { alertname: 'KafkaUnderReplicated', ...cluster };
    const missing = { alertname: 'KafkaBrokersMissing', ...cluster };
    const refusing = { alertname: 'KafkaBelowMinIsr', reason: 'BelowMinIsr' };
    const silent = { alertname: 'KafkaBrokersUnreachable', reason: 'BrokersUnreachable' };
    const all = [offline, lagging, missing, refusing];
    for (const alert of all) expect(await watch.fires(alert), `${alert.alertname} before`).toBe(false);

    try {
      const lost = Date.now();
      await Promise.all(['events-broker-0', 'events-broker-1'].map(lose));
      await Promise.all(all.map((alert) => watch.untilFiring(alert, { within: 90, since: lost })));
      expect(await watch.fires(silent), 'a broker answers').toBe(false);
      await lose('events-broker-2');
      await watch.untilFiring(silent, { within: 90 });
    } finally {
      await reopen();
    }
    const opened = Date.now();
    await Promise.all([...all, silent].map((alert) => watch.untilOver(alert, { within: 150, since: opened })));
  }, 420_000);

  it('the group has caught up', async () => {
    const lag = `max(kafka_consumergroup_lag{namespace="${namespace}", consumergroup="${late.name}"})`;
    await kafka.until('Prometheus has a lag of 0', async () => (await watch.value(lag)) === 0, 90);
    await watch.untilOver(behind);
  });

  it('no other rule is left', async () => {
    expect(await watch.unfired()).toEqual(Object.keys(untried));
  });
});
