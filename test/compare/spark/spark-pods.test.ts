import { expect, test } from 'vitest';
import { mostAtOnce, SparkPods } from './spark-pods.js';

const pods = () =>
  new SparkPods(({ job, role }) => (job && (role === 'driver' || role === 'executor') ? { job, role } : undefined));

/** An event of a watch. */
function event(type: 'ADDED' | 'MODIFIED' | 'DELETED', uid: string, role: string, phase?: string) {
  const metadata = { name: uid, uid, resourceVersion: '1', ...(phase && { labels: { job: 'pi', role } }) };
  const object = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { nodeName: 'n1' }, status: { phase } };
  return { type, object } as const;
}

test('the first executor that runs counts, not the first one that is created', () => {
  const seen = pods();
  seen.saw(event('ADDED', 'a', 'executor', 'Pending'), 1);
  seen.saw(event('ADDED', 'b', 'executor', 'Pending'), 2);
  expect(seen.firstExecutor('pi')).toBe(undefined);
  seen.saw(event('MODIFIED', 'b', 'executor', 'Running'), 3);
  seen.saw(event('MODIFIED', 'a', 'executor', 'Running'), 4);
  expect(seen.firstExecutor('pi')).toBe(3);
});

test('a Pod has ended when its phase says so, and not again when it is deleted', () => {
  const seen = pods();
  const appeared: string[] = [];
  seen.onNew = ({ uid }) => appeared.push(uid);
  seen.saw(event('ADDED', 'a', 'driver', 'Running'), 1);
  seen.saw(event('MODIFIED', 'a', 'driver', 'Failed'), 2);
  seen.saw(event('DELETED', 'a', 'driver'), 3);
  expect(seen.of('pi', 'driver')).toMatchObject([{ runsFrom: 1, endsAt: 2, node: 'n1', isGone: true }]);
  expect(appeared).toEqual(['a']);
});

test('a Pod that is deleted while it runs has ended then', () => {
  const seen = pods();
  seen.saw(event('ADDED', 'a', 'driver', 'Running'), 1);
  seen.saw(event('DELETED', 'a', 'driver'), 3);
  expect(seen.of('pi', 'driver')).toMatchObject([{ runsFrom: 1, endsAt: 3 }]);
});

test('Pods of others are left out', () => {
  const seen = pods();
  seen.saw(event('ADDED', 'a', 'operator', 'Running'), 1);
  expect([...seen.of('pi', 'driver'), ...seen.of('pi', 'executor')]).toEqual([]);
});

test('two drivers that follow each other are one at a time, and two that overlap are two', () => {
  expect(mostAtOnce([])).toBe(0);
  expect(mostAtOnce([{ runsFrom: undefined, endsAt: 3 }])).toBe(0);
  expect(
    mostAtOnce([
      { runsFrom: 1, endsAt: 3 },
      { runsFrom: 3, endsAt: undefined },
    ]),
  ).toBe(1);
  expect(
    mostAtOnce([
      { runsFrom: 1, endsAt: undefined },
      { runsFrom: 3, endsAt: 5 },
      { runsFrom: 6, endsAt: 7 },
    ]),
  ).toBe(2);
});
