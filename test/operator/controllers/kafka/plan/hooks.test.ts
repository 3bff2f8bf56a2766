import { describe, expect, test } from 'vitest';
import type { KafkaNode } from '../../../../../operator/controllers/kafka/cluster/nodes/nodes.js';
import type { Situation } from '../../../../../operator/controllers/kafka/cluster/situation.js';
import { answer, now, planned, situation, six, told } from '../given-kafka.js';

const old = { revision: 'r0' } as const;
const both = { preRestart: true, postRestart: true } as const;
const record = { node: 'events-broker-0', target: 'r1' } as const;
const waitsFor = (why: string) => [`wait: ${why}`];
const isNext = waitsFor('events-broker-0 is restarted next');
const isHeld = waitsFor('events-broker-0 is restarted when the hook preRestart has succeeded, or after hooks.deadline');
const isFollowed = waitsFor('no node is replaced before the hook postRestart of events-broker-0 has ended');

interface Row extends Partial<Omit<Situation, 'nodes'>> {
  readonly steps: readonly string[];
  readonly when: string;
  readonly is?: readonly KafkaNode[];
}

const decides = (rows: readonly Row[]) =>
  test.each(rows)('$steps when $when', ({ steps, when: _, is = six({ 0: old, 1: old }), ...changes }) => {
    expect(told(planned(is, { hooks: both, ...changes }))).toEqual(steps);
  });

describe('a hook before a restart', () => {
  decides([
    { steps: isNext, when: 'the status does not have the restart yet' },
    { steps: isHeld, when: 'it runs', restart: { ...record, preRestart: 'Running' } },
    { steps: ['replace events-broker-0'], when: 'it has succeeded', restart: { ...record, preRestart: 'Succeeded' } },
    {
      steps: ['replace events-broker-0'],
      when: 'its deadline has passed',
      restart: { ...record, preRestart: 'Expired' },
    },
    {
      steps: isNext,
      when: 'it has succeeded for another state of the Pod',
      restart: { ...record, target: 'r7', preRestart: 'Succeeded' },
    },
    {
      steps: ['replace events-broker-1'],
      when: 'it has succeeded for another broker: that one goes first',
      restart: { ...record, node: 'events-broker-1', preRestart: 'Succeeded' },
    },
    {
      steps: ['wait: no node is replaced: events-broker-2 is not ready'],
      when: 'it has succeeded, and another broker is down since',
      is: six({ 0: old, 2: { isReady: false } }),
      restart: { ...record, preRestart: 'Succeeded' },
    },
    { steps: ['replace events-broker-0'], when: 'the spec has no hooks any more', hooks: undefined },
    {
      steps: ['replace events-controller-1001'],
      when: 'a controller is outdated: it has none',
      is: six({ 1001: old }),
    },
    {
      steps: ['replace events-broker-0'],
      when: 'the broker does not run: nothing is delayed',
      is: six({ 0: { ...old, isReady: false, trouble: 'container kafka: exited with code 1' } }),
    },
    {
      steps: isNext,
      when: 'its addresses have changed since the last restart',
      is: six({ 0: { revision: 'r1', advertised: 'a', reachable: 'b' } }),
      restart: { ...record, preRestart: 'Succeeded' },
    },
  ]);
});

describe('a hook after a restart', () => {
  const is = six({ 1: old });
  const restart = { ...record, preRestart: 'Succeeded', postRestart: 'Pending' } as const;
  decides([
    { steps: isFollowed, when: 'the broker serves again', is, restart },
    { steps: isFollowed, when: 'it was the last broker', is: six(), restart },
    { steps: isFollowed, when: 'it runs', is, restart: { ...restart, postRestart: 'Running' } },
    {
      steps: waitsFor('events-broker-1 is restarted next'),
      when: 'it has succeeded: the next broker follows',
      is,
      restart: { ...restart, postRestart: 'Succeeded' },
    },
    {
      steps: waitsFor('events-broker-1 is restarted next'),
      when: 'its deadline has passed',
      is,
      restart: { ...restart, postRestart: 'Expired' },
    },
    {
      steps: waitsFor('no node is replaced: events-broker-0 is not ready'),
      when: 'the broker does not serve yet',
      is: six({ 0: { isReady: false }, 1: old }),
      restart,
    },
    {
      steps: waitsFor('no node is replaced: events-broker-0 became ready after the last answer of the brokers'),
      when: 'the answer is older than the restart',
      is: six({ 0: { readySince: now }, 1: old }),
      restart,
    },
    { steps: [], when: 'hooks were added after the last restart', is: six(), restart: record },
  ]);
});

test('without hooks, only a restart that interrupts partitions is recorded first', () => {
  const nodes = six({ 0: old });
  const interrupts = answer({ load: { 0: { unavoidable: 1, blocking: 1, blockingNames: ['logs-0'] } } });
  expect(told(planned(nodes))).toEqual(['replace events-broker-0']);
  expect(told(planned(nodes, { cluster: interrupts }))).toEqual([
    `${isNext[0]}, which interrupts partitions without a replica to spare: logs-0`,
  ]);
});

describe('a restart because the certificates of a broker do not load', () => {
  const certificates = { hash: 'new', from: now - 1_000, to: now + 90 * 86_400_000 };
  const groups = situation(six()).groups.map((group) => ({ ...group, certificates }));
  const presented = { current: [], stale: ['events-broker-0'], failures: { 'events-broker-0': 'refused' } };
  const stale = six({ 0: { certificates: 'old' } });
  decides([
    {
      steps: isNext,
      when: 'a hook has succeeded for an earlier restart with the same revision',
      is: stale,
      ...{ groups, presented, restart: { ...record, preRestart: 'Succeeded', postRestart: 'Succeeded' } },
    },
    {
      steps: isHeld,
      when: 'its own hook runs',
      is: stale,
      ...{ groups, presented, restart: { ...record, target: 'r1-new', preRestart: 'Running' } },
    },
    {
      steps: isFollowed,
      when: 'the broker has started with them, and another one is outdated',
      is: six({ 0: { certificates: 'new' }, 1: old }),
      ...{ groups, restart: { ...record, target: 'r1-new', preRestart: 'Succeeded', postRestart: 'Running' } },
    },
  ]);
});
