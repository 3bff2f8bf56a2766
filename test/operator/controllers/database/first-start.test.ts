import { describe, expect, test } from 'vitest';
import { assess } from '../../../../operator/controllers/database/assess.js';
import { conditions } from '../../../../operator/controllers/database/conditions.js';
import { database } from '../../../../operator/controllers/database/index.js';
import { findings } from '../../../../operator/runtime/controller/conditions.js';
import { conditionEvents } from '../../../../operator/runtime/status/condition-events.js';
import { type Changes, databaseView } from './given-view.js';
import { now } from './instances/given-instances.js';

const unready = { conditions: [{ type: 'Ready', status: 'False' }] };
/** A pod that is ready for so many milliseconds. */
const readyFor = (age: number) => ({
  conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: new Date(now - age).toISOString() }],
});
const streaming = { 'orders-2': { synchronous: false }, 'orders-3': { synchronous: false } };
const named = { ...streaming, 'orders-2': { synchronous: true } };
const stands = (type: string, reason: string) => ({ conditions: [{ type, reason, status: 'Unknown' }] });

/** What is said of conditions, and what is warned of, as one follows the other. */
function lifeOf(steps: readonly Changes[]) {
  const told: string[] = [];
  let before: object[] = [];
  for (const changes of steps) {
    const { conditions: marks } = assess(databaseView({ ...changes, status: { timeline: 1, conditions: before } }));
    const found = findings(conditions, marks);
    const news = conditionEvents(database, before as Parameters<typeof conditionEvents>[1], found);
    told.push(...news.filter(({ type }) => type === 'Warning').map(({ reason, note }) => `${reason}: ${note}`));
    before = found.map((finding) => ({ ...finding, lastTransitionTime: new Date(now).toISOString() }));
  }
  const reasonOf = (wanted: string) =>
    (before as { type: string; reason: string }[]).find(({ type }) => type === wanted)?.reason;
  return { told, Available: reasonOf('Available'), Replicated: reasonOf('Replicated') };
}

const nobodyReady = { 'orders-1': unready, 'orders-2': unready, 'orders-3': unready };
const beginning: readonly Changes[] = [
  { pods: nobodyReady, reports: undefined },
  { pods: nobodyReady, reports: { 'orders-1': { streaming: {} } } },
  { pods: { ...nobodyReady, 'orders-1': readyFor(1_000) }, reports: { 'orders-1': { streaming: {} } } },
  { pods: { ...nobodyReady, 'orders-1': readyFor(2_000) }, reports: undefined },
  { pods: { 'orders-3': unready }, reports: { 'orders-1': { streaming: { 'orders-2': { synchronous: true } } } } },
  { pods: { 'orders-3': readyFor(1_000) }, reports: { 'orders-1': { streaming } } },
];
const well: Changes = { reports: { 'orders-1': { streaming: named } } };

describe('line 5: a Database that is made for the first time', () => {
  test('warns of nothing until it is complete', () => {
    expect(lifeOf(beginning)).toEqual({ told: [], Available: 'Serving', Replicated: 'Initializing' });
    expect(lifeOf([...beginning, well])).toEqual({ told: [], Available: 'Serving', Replicated: 'Streaming' });
  });

  test.each<{ told: string; when: string; changes: Changes }>([
    {
      told: 'PrimaryNotReady: The primary orders-1 is not ready; if a replica can take over, it does so within 30 seconds',
      when: 'its primary is lost',
      changes: { ...well, pods: { 'orders-1': unready } },
    },
    {
      told: 'Degraded: 1 of 2 replicas follows orders-1; orders-3 does not',
      when: 'a replica is lost',
      changes: {
        pods: { 'orders-3': unready },
        reports: { 'orders-1': { streaming: { 'orders-2': named['orders-2'] } } },
      },
    },
    {
      told: 'TooFewSyncReplicas: 0 of 1 replicas confirm commits, so commits wait',
      when: 'commits are not confirmed any more',
      changes: { pods: { 'orders-3': readyFor(1_000) }, reports: { 'orders-1': { streaming } } },
    },
  ])('warns from then on, when $when', ({ told, changes }) => {
    expect(lifeOf([...beginning, well, changes]).told).toEqual([told]);
  });

  test('warns of a primary that is lost before its replicas were there', () => {
    const lost = { pods: nobodyReady, reports: { 'orders-1': { streaming: {} } } };
    expect(lifeOf([...beginning, lost]).told).toEqual([expect.stringMatching(/^PrimaryNotReady: /)]);
  });

  test.each<{ is: string; when: string; before: string; age: number }>([
    { is: 'Initializing', when: 'it is ready for less than a minute', before: 'Initializing', age: 59_999 },
    { is: 'Degraded', when: 'it is ready for a minute, and should follow by now', before: 'Initializing', age: 60_000 },
    { is: 'Degraded', when: 'all had followed', before: 'Streaming', age: 1_000 },
    { is: 'Degraded', when: 'that was not known', before: 'PrimaryStatusUnknown', age: 1_000 },
  ])('is $is where a replica does not follow, when $when', ({ is, before, age }) => {
    const reports = { 'orders-1': { streaming: { 'orders-2': { synchronous: true } } } };
    const status = stands('Replicated', before);
    const { Replicated } = assess(databaseView({ status, reports, pods: { 'orders-3': readyFor(age) } })).conditions;
    expect(Replicated).toEqual({ reason: is, message: '1 of 2 replicas follows orders-1; orders-3 does not' });
  });

  test('says that nobody tells when all have been ready for long', () => {
    const status = stands('Replicated', 'Initializing');
    expect(assess(databaseView({ status, reports: undefined })).conditions.Replicated).toEqual({
      reason: 'PrimaryStatusUnknown',
    });
  });
});
