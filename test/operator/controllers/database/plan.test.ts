import { describe, expect, test } from 'vitest';
import type { Instance } from '../../../../operator/controllers/database/instances.js';
import { now, planned, podless, position, primary, replica, silent, three, told, unready } from './given-instances.js';

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
      steps: ['wait: no instance is the primary yet'],
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
      steps: ['wait: there are 3 instances, and none is taken away while no primary answers'],
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
    expect(told(planned(four, { wanted: 2 }))).toEqual(['wait: orders-4 is being taken away']);
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
      place: 'orders-3 (timeline 1, 0/5000000)',
    },
    { when: 'nothing is known of it', it: replica(3, silent), place: 'orders-3 (position unknown)' },
    { when: 'it has no pod', it: replica(3, podless), place: 'orders-3 (position unknown)' },
  ])('is not taken away, and who and where is said, when $when', ({ it, place }) => {
    const plan = planned([primary(1, [2]), replica(2), it], two);
    expect(told(plan)).toEqual([
      `wait: ${place} is kept: it may hold writes that orders-1 (timeline 2, 0/5000000) and orders-2 (timeline 2, 0/5000000) may lack`,
    ]);
    expect(plan.steps).toMatchObject([{ concern: 'safety' }]);
    expect(plan.claims.map(({ name }) => name)).toEqual(names(1, 2, 3));
  });

  test('nothing is changed while two say that they are the primary', () => {
    const both = [primary(1, [3]), primary(2, []), replica(3, old)];
    const plan = planned(both, two);
    expect(told(plan)).toEqual([
      'wait: orders-1 and orders-2 say that they are the primary: nothing is changed until one of them does alone',
    ]);
    expect(plan.pods).toEqual(names(1, 2, 3));
  });
});

describe('line 4: the node of the primary is to be drained', () => {
  const cordoned = { isCordoned: true } as const;
  decides([
    { steps: ['switchover orders-1'], when: 'a replica could lead', is: three(cordoned) },
    { steps: [], when: 'all that could lead are on such nodes too', is: three(cordoned, cordoned, cordoned) },
    { steps: [], when: 'the only one elsewhere is not waited for', is: three(cordoned, cordoned) },
    {
      steps: ['switchover orders-1'],
      when: 'it is not waited for, and need not be',
      is: three(cordoned, cordoned),
      isSynchronous: false,
    },
    { steps: [], when: 'it is the node of a replica', is: three({}, cordoned) },
    { steps: [], when: 'the primary does not answer', is: three({ ...cordoned, report: undefined }) },
    {
      steps: ['switchover orders-1'],
      when: 'everything is old as well: first what is urgent',
      is: three({ ...cordoned, ...old }, old, old),
    },
  ]);

  test('who hands over is named, and its pod stays', () => {
    const plan = planned(three(cordoned));
    expect(plan.from).toBe('orders-1');
    expect(plan.pods).toEqual(names(1, 2, 3));
  });
});

describe('line 5: what is out of date', () => {
  const bad = { ...silent, trouble: 'container postgres: ErrImagePull, no such image' } as const;
  decides([
    { steps: ['replace orders-3'], when: 'all are old: replicas first', is: three(old, old, old) },
    { steps: ['replace orders-2'], when: 'one replica is new', is: three(old, old) },
    { steps: ['switchover orders-1'], when: 'the primary alone is old', is: three(old) },
    { steps: ['replace orders-1'], when: 'it has handed over', is: [replica(1, old), primary(2, [1, 3]), replica(3)] },
    {
      steps: ['wait: nothing is replaced until orders-3 is well'],
      when: 'the replica that was replaced is not back',
      is: three(old, old, silent),
    },
    {
      steps: ['wait: nothing is replaced until orders-3 is well'],
      when: 'it is back and does not stream yet',
      is: [primary(1, [2], old), replica(2, old), replica(3)],
    },
    {
      steps: ['wait: nothing is replaced until orders-3 is well: container postgres: ErrImagePull, no such image'],
      when: 'the new image is bad: it stops at the first replica',
      is: three(old, old, bad),
    },
    {
      steps: ['replace orders-2'],
      when: 'an old one does not run: it goes first',
      is: three(old, { ...silent, ...old }, old),
    },
    {
      steps: ['replace orders-2'],
      when: 'it does not run though another one is away: it costs nothing',
      is: three({}, { ...bad, ...old }, { ...silent }),
    },
    {
      steps: ['wait: no primary is known, so nothing is replaced'],
      when: 'nobody leads',
      is: [1, 2, 3].map((n) => replica(n, old)),
    },
    {
      steps: ['wait: orders-1 does not tell how it is, so nothing is replaced'],
      when: 'nobody answers',
      is: three({ ...old, report: undefined }, { ...old, report: undefined }, { ...old, report: undefined }),
    },
    {
      steps: ['wait: orders-1 is replaced once a replica could take over from it'],
      when: 'no replica has what the primary has',
      is: [primary(1, [2, 3], old), replica(2, { report: report({ timeline: 1 }) }), replica(3)],
    },
    { steps: ['replace orders-1'], when: 'there is one alone', is: [primary(1, [], old)], wanted: 1 },
    {
      steps: ['replace orders-1', 'wait: orders-1 is not ready yet: container postgres: ErrImagePull, no such image'],
      when: 'the first one never began',
      is: [replica(1, { ...bad, ...old })],
    },
    {
      steps: ['wait: orders-1 is not ready yet', 'wait: no primary is known, so nothing is replaced'],
      when: 'the first one begins',
      is: [replica(1, { ...silent, ...old })],
    },
    {
      steps: ['wait: orders-1 does not tell how it is, so nothing is replaced'],
      when: 'the primary does not answer and may come back',
      is: three({ ...silent, ...old }),
    },
    { steps: ['add'], when: 'one is missing: redundancy comes first', is: [primary(1, [2], old), replica(2, old)] },
  ]);

  test('a parameter that takes a restart replaces each instance once, and others none', () => {
    const pending = { report: report({ pendingRestart: true }), parameters: 'p0' } as const;
    expect(told(planned(three({}, {}, pending)))).toEqual(['replace orders-3']);
    expect(told(planned(three({}, {}, { ...pending, parameters: 'p1' })))).toEqual([]);
    expect(told(planned(three({}, {}, { parameters: 'p0' })))).toEqual([]);
  });
});

describe('line 11: a replica that does not follow any more', () => {
  const lost = (changes: Partial<Instance> = {}) =>
    replica(3, {
      isReady: false,
      unreadySince: now - 200_000,
      report: report({ state: 'stopped' }),
      ...changes,
    });
  const others = [primary(1, [2]), replica(2)];
  test.each([
    { is: true, when: 'it is so for three minutes', it: lost() },
    { is: false, when: 'it is so for less', it: lost({ unreadySince: now - 100_000 }) },
    { is: false, when: 'it is being cloned', it: lost({ report: report({ state: 'creating replica' }) }) },
    { is: false, when: 'it does not answer', it: lost({ report: undefined }) },
    { is: false, when: 'its node is gone', it: lost({ trouble: 'its node n is not ready' }) },
  ])('is made anew ($is) when $when', ({ is, it }) => {
    expect(told(planned([...others, it])).includes('quarantine orders-3')).toBe(is);
  });

  test('is made anew under another name, and its volume is kept', () => {
    const plan = planned([...others, lost()]);
    expect(plan.pods).toEqual(names(1, 2));
    expect(plan.claims).toContainEqual({ name: 'orders-3', leavingAt: undefined, isQuarantined: true });
    const kept = replica(3, { ...podless, isQuarantined: true });
    const next = planned([...others, kept]);
    expect(next.pods).toEqual(names(1, 2, 4));
    expect(next.claims).toContainEqual({ name: 'orders-3', leavingAt: undefined, isQuarantined: true });
  });

  test('waits for a person where a volume is kept already', () => {
    const kept = replica(4, { ...podless, isQuarantined: true });
    const plan = planned([...others, lost(), kept]);
    expect(told(plan)).toContain(
      'wait: orders-3 does not follow orders-1 any more: delete the claim orders-4 of an earlier one to have it made anew',
    );
    expect(plan.pods).toContain('orders-3');
  });
});
