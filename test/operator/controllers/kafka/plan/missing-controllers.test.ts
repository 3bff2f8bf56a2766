import { describe, expect, test } from 'vitest';
import type { KafkaNode } from '../../../../../operator/controllers/kafka/cluster/nodes/nodes.js';
import type { Situation } from '../../../../../operator/controllers/kafka/cluster/situation.js';
import { answer, node, planned, six, stopped, told } from '../given-kafka.js';

interface Row extends Partial<Omit<Situation, 'nodes'>> {
  readonly pods: readonly number[];
  readonly when: string;
  readonly is: readonly KafkaNode[];
  readonly isHalted: boolean;
}

const brokers = (changes: Partial<KafkaNode> = {}) => [0, 1, 2].map((id) => node(id, changes));
const unknown = { cluster: undefined, answeredAt: undefined, name: 'events', clusterId: 'found' };
const crashing = { isReady: false, trouble: 'kafka: CrashLoopBackOff' };

describe('brokers of a cluster without a controller', () => {
  test.each<Row>([
    { pods: [], when: 'only their volumes are left', is: brokers(stopped), isHalted: true },
    {
      pods: [],
      when: 'they crash: they start again when the controllers are back',
      is: brokers(crashing),
      isHalted: true,
    },
    { pods: [0, 1, 2], when: 'they run: they go on', is: brokers(), isHalted: true },
    { pods: [0, 1, 2], when: 'they run and are not ready', is: brokers({ isReady: false }), isHalted: true },
    {
      pods: [],
      when: 'the volumes of the controllers are retired',
      is: six({ 0: stopped, 1: stopped, 2: stopped, ...retired(1_000, 1_001, 1_002) }),
      isHalted: true,
    },
    { pods: [], when: 'no volume is left of a cluster that ran', is: [], isHalted: true },
    {
      pods: [0, 1, 2, 1_000],
      when: 'the volume of one controller is back',
      is: [...brokers(stopped), node(1_000, stopped)],
      isHalted: false,
    },
    {
      pods: [0, 1, 2],
      when: 'they are the controllers',
      is: brokers({ ...stopped, isCombined: true }),
      isHalted: false,
    },
    {
      pods: [0, 1, 2, 1_003, 1_004, 1_005],
      when: 'the quorum answers',
      is: brokers(stopped),
      cluster: answer(),
      isHalted: false,
    },
    {
      pods: [0, 1, 2, 1_000, 1_001, 1_002],
      when: 'it is new',
      is: brokers(stopped),
      isBootstrapped: false,
      isHalted: false,
    },
  ])('$pods have Pods when $when', ({ pods, is, isHalted, when: _, ...changes }) => {
    const plan = planned(is, { ...unknown, ...changes });
    expect(plan.pods.map(({ id }) => id)).toEqual(pods);
    expect(plan.claims.length).toBeGreaterThanOrEqual(is.length);
    expect(plan.steps.some(({ concern }) => concern === 'controllers')).toBe(isHalted);
    if (isHalted) expect(plan.steps).toHaveLength(1);
  });

  test.each([
    { isRecorded: false, begin: 'delete the PVCs with the label reconstruct.dev/kafka-cluster=events' },
    {
      isRecorded: true,
      begin:
        'delete the KafkaCluster and the PVCs with the label reconstruct.dev/kafka-cluster=events, and create it again',
    },
  ])('are told as such with both ways out, if the status has the cluster: $isRecorded', ({ isRecorded, begin }) => {
    expect(told(planned(brokers(stopped), { ...unknown, isRecorded }))).toEqual([
      `wait: No node starts, because no PVC of a controller of the Kafka cluster found is left, and they have its metadata; restore the PVCs of the controllers with their labels and annotations, or ${begin}, to begin with an empty cluster and without all records`,
    ]);
  });
});

function retired(...ids: readonly number[]): Readonly<Record<number, Partial<KafkaNode>>> {
  return Object.fromEntries(ids.map((id) => [id, { ...stopped, retired: 'lost' as const }]));
}
