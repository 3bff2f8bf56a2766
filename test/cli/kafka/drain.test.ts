import { describe, expect, it } from 'vitest';
import { type DrainRequest, drain } from '../../../cli/kafka/drain.js';
import { kafkaClusterKind } from '../../../imports/index.js';
import type { Cluster } from '../../../operator/runtime/ports/cluster.js';
import { condition } from '../status/given-conditions.js';
import { withStatus } from './given-cluster.js';

const name = { namespace: 'shop', name: 'events' };
const nodesIn = (state: string) => [
  { name: 'events-broker-0', id: 0, role: 'Broker', state: 'Running' },
  { name: 'events-broker-1', id: 1, role: 'Broker', state },
];
const moving = { conditions: [condition('Balanced', 'Unknown', 'Moving', 'The replicas of broker 1 move')] };
const refused = { conditions: [condition('Balanced', 'False', 'RemovalRefused', 'Broker 1 cannot be drained')] };
const rebalance = { partitions: 12, bytes: 1024 ** 3, estimatedSeconds: 21 };

/** Runs the command. @param statuses what the operator reports, one after another */
async function ran(statuses: readonly object[], changes: Partial<DrainRequest> = {}, annotation?: string) {
  const lines: string[] = [];
  const applied: unknown[] = [];
  let [looks, time] = [0, 0];
  const cluster = {
    read: async () => {
      const { kafka } = withStatus(statuses[Math.min(looks++, statuses.length - 1)] ?? {});
      const annotations = annotation === undefined ? {} : { 'reconstruct.dev/drain': annotation };
      return { ...kafka, metadata: { ...kafka.metadata, uid: 'uid', annotations } };
    },
    apply: async (_: unknown, manifest: object, options: object) => applied.push({ manifest, options }),
  } as unknown as Cluster;
  const clock = {
    now: () => time,
    monotonic: () => time,
    after: (ms: number, act: () => void) => {
      time += ms;
      queueMicrotask(act);
      return () => {};
    },
  };
  const request = { name, broker: '1', cancel: false, dryRun: false, patience: 60_000, ...changes };
  const print = (line: string) => lines.push(line);
  const code = await drain(request, { cluster, clock, signal: new AbortController().signal, print } as never);
  return { code, lines, applied };
}

const written = (annotations: object | undefined) => [
  {
    manifest: {
      ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: kafkaClusterKind.kind },
      metadata: { ...name, uid: 'uid', ...(annotations && { annotations }) },
    },
    options: { manager: 'reconstruct-drain' },
  },
];

describe('kafka drain', () => {
  it('shows what it writes and what moves, then the plan of the operator, and waits until the broker has no replicas', async () => {
    const { code, lines, applied } = await ran([
      { nodes: nodesIn('Running') },
      { nodes: nodesIn('Draining'), ...moving, rebalance },
      { nodes: nodesIn('Draining'), ...moving, rebalance },
      { nodes: nodesIn('Drained') },
    ]);
    expect(applied).toEqual(written({ 'reconstruct.dev/drain': '1' }));
    expect(lines.slice(0, 3)).toEqual([
      'Annotation reconstruct.dev/drain of KafkaCluster shop/events: set to "1"',
      'All replicas of events-broker-1 move to events-broker-0, with up to 50Mi per second and broker',
      'Balanced Moving: The replicas of broker 1 move\nPlan: 12 partitions, 1 GiB, about 21s at 50Mi per second and broker',
    ]);
    expect(lines).toHaveLength(5);
    expect(lines.at(-1)).toMatch(/^events-broker-1 has no replicas/);
    expect(code).toBe(0);
  });

  it('writes nothing with --dry-run', async () => {
    const { code, lines, applied } = await ran([{ nodes: nodesIn('Running') }], { dryRun: true });
    expect({ code, applied, lines: lines.length }).toEqual({ code: 0, applied: [], lines: 2 });
  });

  it.each([
    { is: { 'reconstruct.dev/drain': '0,1' }, when: 'another broker is drained', annotation: '0' },
    { is: undefined, when: 'the last one is taken back', annotation: '1', cancel: true },
    { is: { 'reconstruct.dev/drain': '0' }, when: 'one of two is taken back', annotation: '0, 1', cancel: true },
  ])('writes $is when $when', async ({ is, annotation, cancel = false }) => {
    const { applied } = await ran([{ nodes: nodesIn('Drained') }], { cancel }, annotation);
    expect(applied).toEqual(written(is));
  });

  it('takes the name of a Pod', async () => {
    expect((await ran([{ nodes: nodesIn('Drained') }], { broker: 'events-broker-1' })).code).toBe(0);
  });

  it('exits with 1 when the operator refuses, and not for a refusal before', async () => {
    const { code, lines } = await ran([{ nodes: nodesIn('Draining'), ...refused }]);
    expect(code).toBe(1);
    expect(lines.at(-1)).toMatch(/--cancel$/);
    const passing = [
      { nodes: nodesIn('Running'), ...refused },
      { nodes: nodesIn('Running'), ...refused },
    ];
    expect((await ran([...passing, { nodes: nodesIn('Drained') }])).code).toBe(0);
  });

  it('exits with 1 when it takes too long', async () => {
    expect((await ran([{ nodes: nodesIn('Draining'), ...moving }])).code).toBe(1);
  });

  it('refuses a broker that does not exist', async () => {
    await expect(ran([{ nodes: nodesIn('Running') }], { broker: '7' })).rejects.toThrow(
      'KafkaCluster events has no broker 7; its brokers are 0, 1',
    );
  });
});
