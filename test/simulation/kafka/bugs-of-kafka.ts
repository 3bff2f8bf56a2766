import type { Bug } from '../bug.js';

/** A mistake in the plan of a KafkaCluster. */
export type KafkaBug = Omit<Bug, 'subject' | 'breaks'> & {
  readonly breaks: string;
  /** Histories of a cluster whose brokers are its controllers find it. @default false */
  readonly isCombined?: boolean;
};

const plan = 'controllers/kafka/cluster/plan';

/** The histories of a KafkaCluster find each of them. Files are below `operator/`. */
export const bugsOfKafka: readonly KafkaBug[] = [
  {
    name: 'unregisters a broker that has replicas',
    line: 'Kafka line 4',
    file: `${plan}/removal.js`,
    find: 'hasNoReplicas(id, situation) && isStopped(id, situation)',
    replace: 'isStopped(id, situation)',
    breaks: 'unregistered with replicas',
    from: 3,
    within: 60,
  },
  {
    name: 'replaces a broker below min.insync.replicas',
    line: 'Kafka line 3',
    file: `${plan}/rollout.js`,
    find: 'if (blocking <= unavoidable)',
    replace: 'if (true)',
    breaks: 'below min ISR',
    from: 4,
    within: 60,
  },
  {
    name: 'replaces a broker on an answer from before the last restart',
    line: 'Kafka line 3',
    file: `${plan}/rollout.js`,
    find: "return isBeyondAnswer(one, situation) ? 'unknown' : 'up';",
    replace: "return 'up';",
    breaks: 'below min ISR',
    from: 26,
    within: 60,
  },
  {
    name: 'deletes a volume before its Pod',
    line: 'Kafka line 9',
    file: `${plan}/index.js`,
    find: 'kept.claims.map((node) =>',
    replace: "kept.claims.filter((node) => !isMeant(node, change, 'stop')).map((node) =>",
    breaks: 'volume before Pod',
    within: 60,
  },
  {
    name: 'takes down two nodes at once',
    line: 'Kafka line 3',
    file: `${plan}/rollout.js`,
    find: 'stateBeside(node, one, situation))',
    replace: 'stateBeside(node, one, situation), membersIn(situation).length - 2)',
    breaks: 'two at once',
    from: 2,
    within: 60,
  },
  {
    name: 'makes a controller a voter before it has caught up',
    line: 'Kafka line 5',
    file: `${plan}/voters.js`,
    find: 'if (!hasCaughtUp(id, situation))',
    replace: 'if (false)',
    breaks: 'a voter that lags',
    from: 3,
    within: 60,
  },
  {
    name: 'takes the vote of a broker whose replicas have not moved',
    line: 'Kafka line 5',
    file: `${plan}/voters.js`,
    find: '(!isStaying(id) && !holdsReplicas(id))',
    replace: '!isStaying(id)',
    breaks: 'vote of a broker with replicas',
    isCombined: true,
    from: 2,
    within: 60,
  },
];
