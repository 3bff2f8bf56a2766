import { describe, expect, test } from 'vitest';
import type { Instance } from '../../../../../operator/controllers/database/instances/instances.js';
import {
  planned,
  podless,
  position,
  primary,
  replica,
  silent,
  three,
  told,
  unready,
} from '../instances/given-instances.js';

const names = (...serials: readonly number[]) => serials.map((serial) => `orders-${serial}`);
const old = { revision: 'r0' } as const;
const report = (changes: object) => ({ role: 'replica', state: 'running', timeline: 2, position, ...changes }) as const;

interface Row {
  readonly steps: readonly string[];
  readonly when: string;
  readonly is: readonly Instance[];
  readonly wanted?: number;
  readonly isSynchronous?: boolean;
}

const decides = (rows: readonly Row[]) =>
  test.each(rows)('$steps when $when', ({ steps, is, when: _, ...changes }) => {
    expect(told(planned(is, changes))).toEqual(steps);
  });

describe('line 1: what is missing', () => {
  decides([
    { steps: ['add'], when: 'there is nothing', is: [] },
    {
      steps: ['wait: orders-1 is not ready yet'],
      when: 'the first one begins',
      is: [replica(1, silent)],
    },
    {
      steps: ['wait: orders-1 is not ready yet: container postgres: ImagePullBackOff'],
      when: 'its image is not there',
      is: [replica(1, { ...silent, trouble: 'container postgres: ImagePullBackOff' })],
    },
    {
      steps: ['wait: No instance is the primary yet'],
      when: 'the first one answers and does not lead',
      is: [replica(1)],
    },
    { steps: ['add'], when: 'the primary is ready', is: [primary(1, [])] },
    {
      steps: ['add'],
      when: 'the primary is ready, though nobody could be asked',
      is: [primary(1, [], { report: undefined })],
    },
    {
      steps: ['wait: orders-2 is not ready yet'],
      when: 'the second one is being made',
      is: [primary(1, []), replica(2, silent)],
    },
    { steps: ['add'], when: 'two of three run', is: [primary(1, [2]), replica(2)] },
    { steps: [], when: 'three of three run', is: three() },
  ]);

  test('the first instance has the number 1, and a number is not used again while anything bears it', () => {
    expect(planned([])).toMatchObject({ pods: names(1), claims: [{ name: 'orders-1', isQuarantined: false }] });
    const kept = replica(4, { ...podless, isQuarantined: true });
    expect(planned([primary(1, [2]), replica(2), kept]).pods).toEqual(names(1, 2, 5));
    const ending = replica(3, { ...podless, claim: 'ending' });
    expect(planned([primary(1, [2]), replica(2), ending]).pods).toEqual(names(1, 2, 4));
  });

  test('pods that are gone are all made again at once, on their own volumes', () => {
    const all = [1, 2, 3].map((serial) => replica(serial, podless));
    expect(planned(all).pods).toEqual(names(1, 2, 3));
  });

  test('a pod is not made while the one before is on its way out, nor on a volume that goes', () => {
    expect(planned(three({}, {}, { ...silent, pod: 'ending' })).pods).toEqual(names(1, 2));
    expect(planned(three({}, {}, { ...podless, claim: 'ending' })).pods).not.toContain('orders-3');
  });

  test('a claim that is not seen beside its pod is wanted, so that it gets the labels back that it has lost', () => {
    const plan = planned(three({}, { claim: 'none' }));
    expect(told(plan)).toEqual([]);
    expect(plan.claims).toContainEqual({ name: 'orders-2', leavingAt: undefined, isQuarantined: false });
  });
});

describe('line 3: what is too much', () => {
  const two = { wanted: 2 };
  decides([
    { steps: ['leave orders-3'], when: 'the youngest is a replica', is: three(), ...two },
    {
      steps: ['leave orders-2'],
      when: 'the youngest is the primary',
      is: [replica(1), replica(2), primary(3, [1, 2])],
      ...two,
    },
    { steps: ['leave orders-2'], when: 'one is about to be drained', is: three({}, { isCordoned: true }), ...two },
    {
      steps: ['leave orders-2'],
      when: 'one is behind, and streams',
      is: [primary(1, [2, 3]), replica(2, unready), replica(3)],
      ...two,
    },
    {
      steps: ['wait: 3 instances exist, and 2 are desired; none is removed until a primary responds'],
      when: 'nobody answers',
      is: three({ report: undefined }, { report: undefined }, { report: undefined }),
      ...two,
    },
    {
      steps: ['leave orders-3'],
      when: 'one does not run that got no further than the primary, on its timeline',
      is: [primary(1, [2]), replica(2), replica(3, { ...silent, noted: { timeline: 2, position } })],
      ...two,
    },
  ]);

  test('it is written down on the claim before the pod goes, and the claim goes after it', () => {
    const first = planned(three(), two);
    expect(first.pods).toEqual(names(1, 2));
    expect(first.claims).toContainEqual({ name: 'orders-3', leavingAt: '2', isQuarantined: false });
    const leaving = { leavingAt: '2' } as const;
    for (const pod of ['there', 'ending'] as const) {
      const then = planned(three({}, {}, { ...leaving, pod }), two);
      expect(then.pods).toEqual(names(1, 2));
      expect(then.claims.map(({ name }) => name)).toEqual(names(1, 2, 3));
    }
    const last = planned([primary(1, [2]), replica(2), replica(3, { ...podless, ...leaving })], two);
    expect(last.claims.map(({ name }) => name)).toEqual(names(1, 2));
    expect(last.pods).toEqual(names(1, 2));
  });

  test('another one is not begun before the last one is gone', () => {
    const four = [primary(1, [2, 3]), replica(2), replica(3), replica(4, { ...podless, leavingAt: '2' })];
    expect(told(planned(four, { wanted: 2 }))).toEqual(['wait: orders-4 is being removed']);
  });

  test.each([
    { when: 'nobody leads any more', is: [replica(1, silent), replica(2)] },
    { when: 'who leads does not answer', is: [primary(1, [2], { report: undefined }), replica(2)] },
  ])('the claim stays when $when', ({ is }) => {
    const plan = planned([...is, replica(3, { ...podless, leavingAt: '2' })], two);
    expect(plan.claims.map(({ name }) => name)).toContain('orders-3');
  });

  test('whoever was to go is one of the instances again when another one leads since, and the pod is made again', () => {
    const later = { role: 'primary', state: 'running', timeline: 3, position, streaming: {} } as const;
    const plan = planned(
      [replica(1), primary(2, [1], { report: later }), replica(3, { ...podless, leavingAt: '2' })],
      two,
    );
    expect(plan.pods).toContain('orders-3');
    expect(plan.claims).toContainEqual({ name: 'orders-3', leavingAt: undefined, isQuarantined: false });
  });

  test('the pod of whoever was to go stays while the primary does not answer: it may have to lead', () => {
    const plan = planned(three({ report: undefined }, {}, { leavingAt: '2' }), two);
    expect(plan.pods).toEqual(names(1, 2, 3));
  });
});

describe('line 9: what may hold writes that others lack', () => {
  const two = { wanted: 2 };
  test.each([
    {
      when: 'it got further than the primary',
      it: replica(3, { ...unready, report: report({ position: position + 16 }) }),
      place: 'orders-3 (timeline 2, 0/5000010)',
    },
    {
      when: 'it is of an older timeline, and does not stream',
      it: replica(3, { ...silent, noted: { timeline: 1, position } }),
      place: 'orders-3 (last known: timeline 1, 0/5000000)',
    },
    {
      when: 'it led, its node is gone, and its pod was made again',
      it: replica(3, { ...silent, noted: {}, remembered: { timeline: 1, position: position + 32 } }),
      place: 'orders-3 (last known: timeline 1, 0/5000020)',
    },
    {
      when: 'it starts, and does not say where it is yet',
      it: replica(3, {
        ...{ ...unready, report: { role: 'replica', state: 'starting' }, noted: { state: 'starting' } },
        remembered: { timeline: 1, position },
      }),
      place: 'orders-3 (last known: timeline 1, 0/5000000)',
    },
    {
      when: 'it says how far it is, but not on which timeline',
      it: replica(3, {
        ...unready,
        report: { role: 'replica', state: 'running', position },
        noted: { timeline: 1, position },
      }),
      place: 'orders-3 (last known: timeline 1, 0/5000000)',
    },
    { when: 'nothing is known of it', it: replica(3, silent), place: 'orders-3 (position unknown)' },
    { when: 'it has no pod', it: replica(3, podless), place: 'orders-3 (position unknown)' },
  ])('is not taken away, and who and where is said, when $when', ({ it, place }) => {
    const plan = planned([primary(1, [2]), replica(2), it], two);
    expect(told(plan)).toEqual([
      `wait: ${place} is kept, because orders-1 (timeline 2, 0/5000000) and orders-2 (timeline 2, 0/5000000) may lack its writes`,
    ]);
    expect(plan.steps).toMatchObject([{ concern: 'safety' }]);
    expect(plan.claims.map(({ name }) => name)).toEqual(names(1, 2, 3));
  });

  test('nothing is changed while two say that they are the primary', () => {
    const both = [primary(1, [3]), primary(2, []), replica(3, old)];
    const plan = planned(both, two);
    expect(told(plan)).toEqual([
      'wait: orders-1 and orders-2 report that they are the primary; the operator changes nothing until only one of them does',
    ]);
    expect(plan.pods).toEqual(names(1, 2, 3));
  });
});
