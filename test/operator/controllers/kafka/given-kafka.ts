import type { KafkaNode } from '../../../../operator/controllers/kafka/cluster/nodes/nodes.js';
import { type Plan, planOf, type Step } from '../../../../operator/controllers/kafka/cluster/plan/index.js';
import type { Situation } from '../../../../operator/controllers/kafka/cluster/situation.js';
import type { BrokerLoad, ClusterAnswer, QuorumMember } from '../../../../operator/controllers/kafka/ports/cluster.js';

export const now = Date.parse('2026-11-27T12:00:00Z');

/** A node without a Pod. */
export const stopped = { pod: 'none', isReady: false } as const;

/** A broker or controller that runs the current template. */
export function node(id: number, changes: Partial<KafkaNode> = {}): KafkaNode {
  const role = id < 1_000 ? ('broker' as const) : ('controller' as const);
  const group = changes.group ?? role;
  return {
    ...{ name: `events-${group}-${id}`, id, group, role, pod: 'there', claim: 'there', isReady: true, revision: 'r1' },
    readySince: now - 60_000,
    ...changes,
  };
}

/** Three controllers and three brokers. @param changes by id */
export function six(changes: Readonly<Record<number, Partial<KafkaNode>>> = {}): readonly KafkaNode[] {
  return [0, 1, 2, 1_000, 1_001, 1_002].map((id) => node(id, changes[id]));
}

export const load = (changes: Partial<BrokerLoad> = {}): BrokerLoad => ({
  ...{
    replicas: 10,
    leaders: 3,
    preferred: 3,
    sole: 0,
    unreplicated: 0,
    unavoidable: 0,
    blocking: 0,
    blockingNames: [],
    unknownMinIsr: 0,
    unknownMinIsrTopics: [],
  },
  ...changes,
});

export const member = (id: number, changes: Partial<QuorumMember> = {}): QuorumMember => ({
  ...{ id, directoryId: `disk-${id}`, logEndOffset: 5_000, caughtUpAt: now },
  ...changes,
});

interface Told extends Partial<Omit<ClusterAnswer, 'partitions' | 'quorum' | 'load'>> {
  readonly fenced?: readonly number[];
  readonly ids?: readonly number[];
  readonly load?: Readonly<Record<number, Partial<BrokerLoad>>>;
  readonly quorum?: Partial<ClusterAnswer['quorum']>;
  readonly partitions?: Partial<ClusterAnswer['partitions']>;
}

/** What brokers answer at rest. @param changes what differs; `ids` are the registered brokers */
export function answer({
  fenced = [],
  ids = [0, 1, 2],
  load: of = {},
  quorum,
  partitions,
  ...others
}: Told = {}): ClusterAnswer {
  return {
    clusterId: 'cluster',
    brokers: ids.map((id) => ({ id, isFenced: fenced.includes(id) })),
    quorum: { leader: 1_000, voters: [1_000, 1_001, 1_002].map((id) => member(id)), observers: [], ...quorum },
    metadataVersion: { finalized: 33, minimum: 7, maximum: 33 },
    load: Object.fromEntries(ids.map((id) => [id, load(of[id])])),
    partitions: {
      ...{ total: 10, underReplicated: 0, underMinIsr: 0, offline: 0, reassigning: 0 },
      ...{ highestReplication: 3, highestTopic: 'orders', ...partitions },
    },
    config: {},
    ...others,
  };
}

type Changes = Partial<Situation> & { readonly brokers?: number; readonly controllers?: number };

/** A situation at rest. */
export function situation(
  nodes: readonly KafkaNode[],
  { brokers = 3, controllers = 3, ...changes }: Changes = {},
): Situation {
  return {
    groups: [
      { name: 'controller', role: 'controller', replicas: controllers, revision: 'r1' },
      { name: 'broker', role: 'broker', replicas: brokers, revision: 'r1' },
    ],
    nodes,
    cluster: answer(),
    answeredAt: now,
    ...{
      isBootstrapped: true,
      replaceAfter: 60_000,
      rebalances: true,
      keepsRemoved: true,
      throttle: 1_000,
      config: {},
    },
    ...{ finalization: { level: 33, due: undefined }, now },
    ...changes,
  };
}

/** The plan of such a situation. */
export const planned = (nodes: readonly KafkaNode[], changes: Changes = {}): Plan => planOf(situation(nodes, changes));

/** Steps as texts: the act and its subject, or what is waited for. */
export function told({ steps }: Pick<Plan, 'steps'>): readonly string[] {
  return steps.map(textOf);
}

function textOf(step: Step): string {
  if (step.act === 'wait') return `${step.isRefusal ? 'refuse' : 'wait'}: ${step.why}`;
  if (step.act === 'add') return `add: ${step.why.replace('Creating ', '')}`;
  if ('node' in step) return `${step.act} ${step.node.name}`;
  if (step.act !== 'call') return '';
  const { act, ...rest } = step.request;
  return `call ${act} ${JSON.stringify(rest)}`;
}
