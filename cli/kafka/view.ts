import type { KafkaClusterResource, KafkaClusterStatusNodes, KafkaTopicResource } from '../../imports/index.js';
import { isReady } from '../../operator/pods/is-ready.js';
import type { LivePod } from '../../operator/runtime/kubernetes/kinds.js';
import { relativeTime } from '../../operator/runtime/kubernetes/relative-time.js';
import { printable } from '../../operator/telemetry/printable-text.js';
import { alignedRows } from '../output/aligned-rows.js';
import type { ReportingResource } from '../status/problems.js';
import { problemGroups, problemLines, restartsOf } from './problem-groups.js';
import type { FoundKafka } from './resources.js';

/** One screen for the person on call. */
export interface KafkaView {
  readonly lines: readonly string[];
  /** Whether a person should act. */
  readonly isWrong: boolean;
}

type Rows = readonly (readonly string[])[];

const none = '-';

/**
 * A KafkaCluster with its nodes, the numbers of its topics and users, what is wrong, and what to do.
 * @param now milliseconds since 1970
 */
export function kafkaStatusView(found: FoundKafka, now: number): KafkaView {
  const { kafka, topics, users, notes } = found;
  const all = problemGroups(found, now);
  const [wrong, progress] = [all.filter(({ isProgress }) => !isProgress), all.filter(({ isProgress }) => isProgress)];
  const sections = [
    table(summaryRows(kafka, now)),
    ...(kafka.status?.nodes?.length ? [table(nodeRows(found))] : []),
    [`topics: ${counted(topics)}`, `users: ${counted(users)}`],
    wrong.length === 0 ? ['No problems.'] : ['Problems:', ...wrong.flatMap(problemLines)],
    ...(progress.length === 0 ? [] : [['In progress:', ...progress.flatMap(problemLines)]]),
    ...(notes.length === 0 ? [] : [notes.map(printable)]),
  ];
  return { lines: joined(sections), isWrong: wrong.length > 0 };
}

/** The KafkaTopics of a cluster: what needs attention first, then by name. */
export function topicsView(topics: readonly KafkaTopicResource[]): readonly string[] {
  if (topics.length === 0) return ['No KafkaTopics.'];
  const name = ({ metadata, spec, status }: KafkaTopicResource) => status?.topicName ?? spec.topicName ?? metadata.name;
  const rank = (topic: KafkaTopicResource) => (readyOf(topic) === 'True' ? 1 : 0);
  const sorted = topics.toSorted((a, b) => rank(a) - rank(b) || (a.metadata.name < b.metadata.name ? -1 : 1));
  const rows = sorted.map((topic) => {
    const { partitions = none, replication = none, underReplicatedPartitions = none } = topic.status ?? {};
    const ready = topic.status?.conditions?.find(({ type }) => type === 'Ready');
    const numbers = [partitions, replication, underReplicatedPartitions].map(String);
    const why = ready && ready.status !== 'True' ? `${ready.reason}: ${ready.message}` : '';
    return [topic.metadata.name, name(topic), readyOf(topic), ...numbers, why];
  });
  return table([['KAFKATOPIC', 'TOPIC', 'READY', 'PARTITIONS', 'REPLICATION', 'UNDER-REPLICATED', 'WHY'], ...rows]);
}

function summaryRows({ metadata, spec, status }: KafkaClusterResource, now: number): Rows {
  const { version, metadataVersion, ready, controllers, underReplicatedPartitions, activeController } = status ?? {};
  const wanted = version === undefined || version === spec.version ? spec.version : `${version} -> ${spec.version}`;
  const cells = {
    CLUSTER: `${metadata.namespace}/${metadata.name}`,
    READY: readyOf({ metadata, ...(status && { status }) }),
    VERSION: wanted,
    'METADATA LEVEL': metadataVersion,
    'FINAL IN': status?.finalizationTime && relativeTime(status.finalizationTime, now).replace(/^in /, ''),
    BROKERS: ready,
    CONTROLLERS: controllers,
    ACTIVE: activeController,
    'UNDER-REPLICATED': underReplicatedPartitions,
  };
  return [Object.keys(cells), Object.values(cells).map((cell) => `${cell ?? none}`)];
}

function nodeRows({ kafka, pods }: FoundKafka): Rows {
  const row = ({ name, role, state, zone, node, usedPercent, id, directoryId }: KafkaClusterStatusNodes) => {
    const pod = pods.find(({ metadata }) => metadata.name === name);
    // Of a broker, the disk is reported if it is a controller too.
    const roles = role === 'Broker' && directoryId !== undefined ? 'Broker, Controller' : role;
    const isActive = id === kafka.status?.activeController;
    const used = usedPercent === undefined ? none : `${usedPercent} %`;
    return [
      name,
      isActive ? `${roles} (active)` : roles,
      state,
      podState(pod),
      restartsText(pod),
      zone ?? none,
      node ?? none,
      used,
    ];
  };
  const header = ['NODE', 'ROLE', 'STATE', 'POD', 'RESTARTS', 'ZONE', 'MACHINE', 'USED'];
  return [header, ...(kafka.status?.nodes ?? []).map(row)];
}

function podState(pod: LivePod | undefined): string {
  if (!pod) return none;
  if (pod.metadata.deletionTimestamp !== undefined) return 'Terminating';
  const waiting = pod.status?.containerStatuses?.map(({ state }) => state?.waiting?.reason).find(Boolean);
  if (waiting !== undefined) return waiting;
  return isReady(pod) ? 'Ready' : (pod.status?.phase ?? none);
}

function restartsText(pod: LivePod | undefined): string {
  const hasContainers = (pod?.status?.containerStatuses ?? []).length > 0;
  return pod && hasContainers ? `${restartsOf(pod)}` : none;
}

function counted(resources: readonly ReportingResource[]): string {
  const ready = resources.filter((one) => readyOf(one) === 'True').length;
  return resources.length === 0 ? 'none' : `${ready} of ${resources.length} ready`;
}

function readyOf({ status }: ReportingResource): string {
  return status?.conditions?.find(({ type }) => type === 'Ready')?.status ?? none;
}

function table(rows: Rows): readonly string[] {
  return alignedRows(rows.map((row) => row.map(printable)));
}

function joined(sections: readonly (readonly string[])[]): readonly string[] {
  return sections.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
}
