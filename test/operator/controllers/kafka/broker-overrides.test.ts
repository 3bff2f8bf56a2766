import { describe, expect, test } from 'vitest';
import { upToDateOf } from '../../../../operator/controllers/kafka/cluster/findings/up-to-date.js';
import { planOf } from '../../../../operator/controllers/kafka/cluster/plan/index.js';
import type { ClusterAnswer } from '../../../../operator/controllers/kafka/ports/cluster.js';
import { answer, situation, six } from './given-kafka.js';

const command = (id: number, names: string) =>
  `\`ConfigCommand --alter --entity-type brokers --entity-name ${id} --delete-config ${names}\``;

function judged(overrides: ClusterAnswer['overrides'], config: Readonly<Record<string, string>> = {}) {
  const seen = situation(six(), { cluster: answer(overrides && { overrides }), config });
  const { steps } = planOf(seen);
  const others = { call: { state: 'none' } as const, hook: undefined, hasRoutes: true };
  return { steps, mark: upToDateOf({ resource: {} as never, situation: seen, steps, ...others }) };
}

describe('a KafkaCluster with dynamic properties of single brokers', () => {
  test.each<{ says: string; when: string; overrides: NonNullable<ClusterAnswer['overrides']> }>([
    {
      says: `events-broker-1 has its own compression.type, which ${command(1, 'compression.type')} removes`,
      when: 'one has one',
      overrides: { 1: ['compression.type'] },
    },
    {
      says: `events-broker-0 has its own a, b, which ${command(0, 'a,b')} removes; broker 9 has its own a, which ${command(9, 'a')} removes`,
      when: 'several have some, and one has no Pod any more',
      overrides: { 0: ['a', 'b'], 9: ['a'] },
    },
  ])('names them with the command that removes them when $when, and removes none', ({ says, overrides }) => {
    const { mark, steps } = judged(overrides);
    expect(mark).toEqual({
      reason: 'BrokerOverridden',
      message: `Another user set dynamic properties that outrank the spec: ${says}`,
    });
    expect(steps).toEqual([]);
  });

  test('names five brokers at most', () => {
    const { mark } = judged(Object.fromEntries([0, 1, 2, 3, 4, 5, 6].map((id) => [id, ['a']])));
    expect(mark.message).toContain('broker 4 has its own a');
    expect(mark.message).not.toContain('broker 5 has its own a');
    expect(mark.message).toMatch(/; 2 more brokers have properties of their own$/);
  });

  test('reports a rollout first', () => {
    expect(judged({ 1: ['a'] }, { 'min.insync.replicas': '2' }).mark.reason).toBe('RollingOut');
  });

  test('is up to date when none has any', () => {
    expect(judged(undefined).mark).toEqual({ reason: 'UpToDate' });
  });
});
