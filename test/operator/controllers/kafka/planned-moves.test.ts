import { App, Chart } from 'cdk8s';
import { describe, expect, it } from 'vitest';
import { kafkaClusterSpec, withDefaults } from '../../../../crds/index.js';
import { assess } from '../../../../operator/controllers/kafka/cluster/assess.js';
import { desire } from '../../../../operator/controllers/kafka/cluster/desire.js';
import { wantedGroups } from '../../../../operator/controllers/kafka/cluster/groups.js';
import { plannedMoves } from '../../../../operator/controllers/kafka/cluster/planned-moves.js';
import type { KafkaView } from '../../../../operator/controllers/kafka/cluster/view.js';
import type { Moves } from '../../../../operator/controllers/kafka/ports/cluster.js';
import { dynamicProperties } from '../../../../src/index.js';
import { answer, now, situation, six } from './given-kafka.js';

const MiB = 1024 ** 2;
const moves: Moves = { partitions: 4, bytes: 300 * MiB, busiest: 200 * MiB };
const summary = { partitions: 4, bytes: 310_000_000, estimatedSeconds: 4 };
const reassign = { act: 'reassign', from: [], onto: [0, 1, 2, 3], throttle: 1 } as const;
const begins = [{ act: 'call', concern: 'balance', request: reassign, why: 'broker 3 gets replicas' }] as const;

describe('the summary of moves', () => {
  const found = (changes: Parameters<typeof answer>[0], before: typeof summary | undefined, isAbout = true) =>
    plannedMoves(
      { status: { observedGeneration: 1, ...(before && { rebalance: before }) } },
      situation(six(), { cluster: answer(changes), throttle: 50 * MiB }),
      isAbout ? begins : [],
    );
  const earlier = { ...summary, bytes: 1 };

  it('has the time that the busiest broker needs at the limit', () => {
    expect(found({ moves }, undefined)).toEqual(summary);
  });

  it.each([
    { is: 'stays', when: 'as many partitions move', changes: { moves }, expected: earlier },
    {
      is: 'changes',
      when: 'others move',
      changes: { moves: { ...moves, partitions: 5 } },
      expected: { ...summary, partitions: 5 },
    },
  ])('$is when $when', ({ changes, expected }) => {
    expect(found(changes, earlier)).toEqual(expected);
  });

  it('stays while replicas move, and is absent afterwards', () => {
    const none = { partitions: 0, bytes: 0, busiest: 0 };
    expect(found({ moves: none, partitions: { reassigning: 2 } }, earlier, false)).toEqual(earlier);
    expect(found({ moves: none }, earlier, false)).toBeUndefined();
  });
});

describe('moves', () => {
  const spec = withDefaults(kafkaClusterSpec, { brokers: { replicas: 4, storage: { size: '1Gi' } } });
  const names = [
    'controller-1000',
    'controller-1001',
    'controller-1002',
    'broker-0',
    'broker-1',
    'broker-2',
    'broker-3',
  ];
  /** A cluster whose fourth broker is empty. */
  function view(status: object): KafkaView {
    const metadata = { name: 'events', namespace: 'shop', uid: 'uid', generation: 1 };
    const resource = { metadata, spec, status: { observedGeneration: 1, bootstrapped: true, ...status } };
    const objects = { Pod: [] as object[], PersistentVolumeClaim: [] as object[] };
    const none = { replicas: 0, leaders: 0 };
    const value = answer({ ids: [0, 1, 2, 3], load: { 3: none }, moves, config: dynamicProperties(spec) });
    const given = {
      ...{ resource, now: new Date(now), isServed: () => true },
      owned: { of: ({ kind }: { kind: 'Pod' }) => objects[kind] ?? [] },
      reads: { nodes: [], claims: [], nodeCertificate: 'n', listenerCertificates: [], operatorCertificate: 'o' },
      polled: { cluster: { known: true, value, at: now } },
    } as unknown as KafkaView;
    const revisions = new Map(wantedGroups(given).map(({ name, revision }) => [name, revision]));
    for (const name of names) {
      const [group = ''] = name.split('-');
      const annotations = { 'reconstruct.dev/revision': revisions.get(group) ?? '' };
      const own = { name: `events-${name}`, namespace: 'shop', annotations };
      const ready = { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-11-27T11:00:00Z' }] };
      objects.Pod.push({ metadata: own, spec: { containers: [] }, status: ready });
      objects.PersistentVolumeClaim.push({ metadata: own, spec: { resources: { requests: { storage: '1Gi' } } } });
    }
    return given;
  }
  const callIn = (given: KafkaView) => {
    const chart = new Chart(new App(), 'chart', { namespace: 'shop' });
    desire(chart, given);
    return chart.node.tryFindChild('cluster');
  };
  const assessed = (given: KafkaView) =>
    assess({ ...given, accepted: true, calls: { of: () => ({ state: 'none' }) } } as unknown as Parameters<
      typeof assess
    >[0]);

  it('do not begin before the status has their summary', () => {
    expect(callIn(view({}))).toBeUndefined();
    const { status, requeueAfter } = assessed(view({}));
    expect(status?.rebalance).toMatchObject({ partitions: 4 });
    expect(requeueAfter).toBe(1_000);
  });

  it('begin when the status has it', () => {
    expect(callIn(view({ rebalance: summary }))).toBeDefined();
    expect(assessed(view({ rebalance: summary })).requeueAfter).not.toBe(1_000);
  });
});
