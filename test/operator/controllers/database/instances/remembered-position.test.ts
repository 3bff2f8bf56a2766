import { expect, test } from 'vitest';
import { assess } from '../../../../../operator/controllers/database/assess.js';
import { bytesOf, lsnOf } from '../../../../../operator/controllers/database/instances/log-position.js';
import type { DatabaseView } from '../../../../../operator/controllers/database/view.js';
import { pollValueOf } from '../../../../../operator/runtime/controller/polls.js';
import type { LivePod } from '../../../../../operator/runtime/index.js';
import { type Changes, databaseView } from '../given-view.js';
import { position } from './given-instances.js';

const unready = { conditions: [{ type: 'Ready', status: 'False' }] };
const kept = { name: 'orders-3', role: 'Replica', state: 'starting', timeline: 1, position: '1/5000020' };

/** What is known of `orders-3`, which led and does not answer; `noted` is what Patroni keeps on its Pod, if that is seen. */
function lost(
  noted: object | undefined,
  { status, watchesSiblings = true }: Pick<Changes, 'status'> & { watchesSiblings?: boolean } = {},
) {
  const streaming = { 'orders-2': { synchronous: true } };
  const view = databaseView({
    ...{ spec: { replicas: 2 }, pods: { 'orders-3': unready }, reports: { 'orders-1': { streaming } } },
    ...(status && { status }),
  });
  const { members } = view.polled;
  const pods = view.owned.of({ kind: 'Pod' } as never) as unknown as { metadata: { annotations: object } }[];
  Object.assign(pods[2]?.metadata.annotations ?? {}, noted && { status: JSON.stringify(noted) });
  if (!watchesSiblings) pods.pop();
  Reflect.deleteProperty(pollValueOf(members)?.reports ?? {}, 'orders-3');
  return view;
}

const saidOf = (view: DatabaseView) => {
  const { conditions, status } = assess(view);
  const { timeline, position: at } = status?.instances?.find(({ name }) => name === 'orders-3') ?? {};
  return { said: conditions.Unsafe?.message, timeline, position: at };
};
const refused = (place: string) =>
  `orders-3 (${place}) is kept, because orders-1 (timeline 2, 0/5000000) and orders-2 (timeline 2, 0/5000000) may lack its writes`;

test('line 9: how far an instance had got is kept in the status from when it stops on', () => {
  const noted = { state: 'running', timeline: 1, xlog_location: 2 ** 32 + position + 32 };
  const known = { said: refused('last known: timeline 1, 1/5000020'), timeline: 1, position: '1/5000020' };
  expect(saidOf(lost(noted))).toEqual(known);
  const status = { instances: [kept] };
  expect(saidOf(lost(noted, { status, watchesSiblings: false })), 'its node is gone, and its Pod told to go').toEqual(
    known,
  );
  expect(saidOf(lost(undefined, { status })), 'its Pod was made again').toEqual(known);
  expect(saidOf(lost({ state: 'starting' }, { status })), 'it starts').toEqual(known);
  const later = { said: refused('last known: timeline 2, 0/6000000'), timeline: 2, position: '0/6000000' };
  expect(saidOf(lost({ timeline: 2, xlog_location: 0x6000000 }, { status })), 'it wrote more').toEqual(later);
});

test('line 9: a Pod that is told to go tells how far its instance had got, though nobody looked before', () => {
  const noted = { state: 'running', timeline: 1, xlog_location: 2 ** 32 + position + 32 };
  const view = lost(noted);
  const pods = view.owned.of({ kind: 'Pod' } as never) as unknown as LivePod[];
  const going = pods
    .splice(2)
    .map((pod) => ({ ...pod, metadata: { ...pod.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }));
  const pruning = { of: () => going } as unknown as NonNullable<DatabaseView['pruning']>;
  const known = { said: refused('last known: timeline 1, 1/5000020'), timeline: 1, position: '1/5000020' };
  expect(saidOf({ ...view, pruning })).toEqual(known);
  const others = { of: () => going.map((pod) => ({ ...pod, metadata: { ...pod.metadata, name: 'orders-4' } })) };
  const unknown = { said: refused('position unknown'), timeline: undefined, position: undefined };
  expect(saidOf({ ...view, pruning: others as unknown as typeof pruning }), 'of another').toEqual(unknown);
});

test('line 9: of an instance whose Pod is told to go, what it said a moment ago is kept', () => {
  const view = databaseView({ status: { instances: [{ ...kept, timeline: 2, position: '0/4FFFFFF' }] } });
  (view.owned.of({ kind: 'Pod' } as never) as unknown as object[]).pop();
  expect(assess(view).status?.instances?.[2]).toMatchObject({ timeline: 2, position: '0/5000000' });
});

test('line 9: what one says that is not ready is kept, in steps: it may be the last that is heard', () => {
  const remembering = (before?: string, timeline = 2) => {
    const status = before === undefined ? {} : { instances: [{ ...kept, timeline, position: before }] };
    const view = databaseView({ pods: { 'orders-3': unready }, status });
    return assess(view).status?.instances?.[2]?.position;
  };
  expect(remembering()).toBe('0/5000000');
  expect(remembering('0/4F00001'), 'it got on by less than a mebibyte').toBe('0/4F00001');
  expect(remembering('0/4F00000'), 'it got on by one').toBe('0/5000000');
  expect(remembering('0/50FFFFF'), 'it was rewound').toBe('0/50FFFFF');
  expect(remembering('0/5100000'), 'it was rewound by more').toBe('0/5000000');
  expect(remembering('0/4F00001', 1), 'it is on another timeline').toBe('0/5000000');
});

test('line 9: nothing is made up of an instance that has never told', () => {
  const unknown = { said: refused('position unknown'), timeline: undefined, position: undefined };
  expect(saidOf(lost(undefined))).toEqual(unknown);
  for (const timeline of [-1, 1.5, 2 ** 31, '1'])
    expect(saidOf(lost({ timeline, xlog_location: 32 }))).toEqual(unknown);
  for (const place of [-1, 1.5, 2 ** 53, '32'])
    expect(saidOf(lost({ timeline: 1, xlog_location: place }))).toMatchObject({ said: unknown.said });
  const nonsense = { instances: [{ ...kept, position: 'far' }] };
  expect(saidOf(lost(undefined, { status: nonsense }))).toEqual(unknown);
});

test('of an instance that is ready, no position is in the status: it would be another one with each write', () => {
  expect(assess(databaseView({ status: { instances: [kept] } })).status?.instances?.[2]).not.toHaveProperty('position');
});

test.each([
  [0, '0/0'],
  [0x5000060, '0/5000060'],
  [0x12_ffff_fff8, '12/FFFFFFF8'],
])('byte %i is %s', (bytes, lsn) => {
  expect([lsnOf(bytes), bytesOf(lsn)]).toEqual([lsn, bytes]);
});
