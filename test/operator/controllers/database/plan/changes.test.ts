import { describe, expect, test } from 'vitest';
import type { Instance } from '../../../../../operator/controllers/database/instances/instances.js';
import type { MemberReport } from '../../../../../operator/controllers/database/ports/members.js';
import type { Situation } from '../../../../../operator/controllers/database/situation.js';
import {
  now,
  planned,
  podless,
  position,
  primary,
  replica,
  silent,
  three,
  told,
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
      steps: ['wait: no instance is replaced until orders-3 is healthy'],
      when: 'the replica that was replaced is not back',
      is: three(old, old, silent),
    },
    {
      steps: ['wait: no instance is replaced until orders-3 is healthy'],
      when: 'it is back and does not stream yet',
      is: [primary(1, [2], old), replica(2, old), replica(3)],
    },
    {
      steps: [
        'wait: no instance is replaced until orders-3 is healthy: container postgres: ErrImagePull, no such image',
      ],
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
      steps: ['wait: no primary is known, so no instance is replaced'],
      when: 'nobody leads',
      is: [1, 2, 3].map((n) => replica(n, old)),
    },
    {
      steps: ['wait: orders-1 does not report its state, so no instance is replaced'],
      when: 'nobody answers',
      is: three({ ...old, report: undefined }, { ...old, report: undefined }, { ...old, report: undefined }),
    },
    {
      steps: ['wait: orders-1 is replaced once a replica can take over from it'],
      when: 'no replica has what the primary has',
      is: [primary(1, [2, 3], old), replica(2, { report: report({ timeline: 1 }) }), replica(3)],
    },
    {
      steps: ['wait: no primary is known, so no instance is replaced'],
      when: 'another one has the label of the primary than says that it is: what was said is old',
      is: three({ isLabelledPrimary: false }, old, { ...old, isLabelledPrimary: true }),
    },
    { steps: ['replace orders-1'], when: 'there is one alone', is: [primary(1, [], old)], wanted: 1 },
    {
      steps: ['replace orders-1', 'wait: orders-1 is not ready yet: container postgres: ErrImagePull, no such image'],
      when: 'the first one never began',
      is: [replica(1, { ...bad, ...old })],
    },
    {
      steps: ['wait: orders-1 is not ready yet', 'wait: no primary is known, so no instance is replaced'],
      when: 'the first one begins',
      is: [replica(1, { ...silent, ...old })],
    },
    {
      steps: ['wait: orders-1 does not report its state, so no instance is replaced'],
      when: 'the primary does not answer and may come back',
      is: three({ ...silent, ...old }),
    },
    { steps: ['add'], when: 'one is missing: redundancy comes first', is: [primary(1, [2], old), replica(2, old)] },
  ]);

  test('a parameter that takes a restart replaces each instance once, and others none', () => {
    const pending = { report: report({ pendingRestart: true }), parameters: 'p0' } as const;
    expect(told(planned(three({}, {}, pending)))).toEqual(['replace orders-3']);
    expect(told(planned(three({}, {}, { ...pending, parameters: 'p1.taken' })))).toEqual([]);
    expect(told(planned(three({}, {}, { parameters: 'p0' })))).toEqual([]);
  });

  const pending = (parameters: string) => ({ report: report({ pendingRestart: true }), parameters });
  const led = primary(1, [2, 3]).report;
  const leads = (changes: Partial<MemberReport>) => ({ report: { ...led, ...changes } as MemberReport });
  const waits = { ...leads({ pendingRestart: true }), parameters: 'p0' };

  decides([
    {
      steps: ['replace orders-3'],
      when: 'all wait for a restart: a replica tells whether the primary must be first',
      is: three(waits, pending('p0'), pending('p0')),
    },
    {
      steps: ['restart orders-1'],
      when: 'a replica that was made by lower limits still has the old ones',
      is: three(waits, pending('p0'), pending('p1')),
    },
    {
      steps: ['wait: no instance is replaced until orders-3 is healthy'],
      when: 'that one is not back: two at once would be away',
      is: [
        primary(1, [2], {
          ...waits,
          ...leads({ pendingRestart: true, streaming: { 'orders-2': { synchronous: true } } }),
        }),
        replica(2, pending('p0')),
        replica(3, pending('p1')),
      ],
    },
    {
      steps: ['wait: no instance is replaced until orders-1 is healthy'],
      when: 'the primary restarts',
      is: three({ ...leads({ state: 'restarting' }), isReady: false }, pending('p0'), pending('p1')),
    },
    {
      steps: ['replace orders-3'],
      when: 'the primary has taken them: the replica that was made before starts again',
      is: three({ parameters: 'p0' }, pending('p1'), pending('p1')),
    },
    {
      steps: ['replace orders-2'],
      when: 'one replica has taken them, too',
      is: three({ parameters: 'p0' }, pending('p1'), { parameters: 'p1.taken' }),
    },
    {
      steps: ['replace orders-2'],
      when: 'there is another image, too: that comes first',
      is: three(waits, { ...old, ...pending('p0') }, pending('p1')),
    },
    {
      steps: ['switchover orders-1'],
      when: 'the primary alone is of another image, too',
      is: three({ ...waits, ...old }, pending('p1'), pending('p1')),
    },
    {
      steps: ['restart orders-1'],
      when: 'the primary was made by them when it was none',
      is: three({ ...waits, parameters: 'p1' }),
    },
    {
      steps: ['switchover orders-1'],
      when: 'replicas could take them before the primary: they are higher',
      is: three(waits, { parameters: 'p1' }, { parameters: 'p1' }),
    },
  ]);
});

describe('line 5: a restart in place', () => {
  test('touches no pod and no claim', () => {
    const waits = { report: { ...primary(1, [2, 3]).report, pendingRestart: true } as MemberReport, parameters: 'p1' };
    const plan = planned(three(waits));
    const all = names(1, 2, 3);
    expect([plan.pods, plan.claims.map(({ name }) => name), plan.from]).toEqual([all, all, undefined]);
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
    { is: false, when: 'it starts', it: lost({ report: report({ state: 'starting' }) }) },
    {
      is: true,
      when: 'it starts for a quarter of an hour: what it lacks is nowhere any more',
      it: lost({ unreadySince: now - 901_000, report: report({ state: 'starting' }) }),
    },
    { is: false, when: 'it does not answer', it: lost({ report: undefined }) },
    { is: false, when: 'its node is gone', it: lost({ trouble: 'its node n is not ready' }) },
  ])('is made anew ($is) when $when', ({ is, it }) => {
    expect(told(planned([...others, it])).includes('quarantine orders-3')).toBe(is);
  });

  const follows = { role: 'replica', state: 'running', timeline: 1, position } as const;
  const astray = replica(3, { readySince: now - 200_000, report: follows });
  const since = { degradedSince: now - 200_000, forks: { 1: position - 1 } };
  test.each<{ is: boolean; when: string; it?: Partial<Instance>; of?: Partial<Situation> }>([
    { is: true, when: 'it has what was written after its timeline had ended, for three minutes' },
    { is: false, when: 'its timeline has ended no earlier', of: { forks: { 1: position } } },
    { is: false, when: 'its timeline has not ended', of: { forks: {} } },
    { is: false, when: 'it is ready for less: it may rewind', it: { readySince: now - 100_000 } },
    { is: false, when: 'all have followed since', of: { degradedSince: now - 100_000 } },
    { is: false, when: 'all follow, as far as was said', of: { degradedSince: undefined } },
    { is: false, when: 'it does not say how far it got', it: { report: { role: 'replica', state: 'running' } } },
    {
      is: true,
      when: 'it lacks what nobody has any more, for a quarter of an hour',
      it: { readySince: now - 901_000 },
      of: { hasArchive: false, forks: {}, degradedSince: now - 901_000 },
    },
    {
      is: false,
      when: 'the archive may have what it lacks',
      it: { readySince: now - 901_000 },
      of: { forks: {}, degradedSince: now - 901_000 },
    },
  ])('that answers queries all the same is made anew ($is) when $when', ({ is, it, of }) => {
    const plan = planned([...others, { ...astray, ...it }], { ...since, ...of });
    expect(told(plan).includes('quarantine orders-3')).toBe(is);
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
      'wait: orders-3 no longer follows orders-1; to get a replacement, delete PVC orders-4, which is kept from an earlier instance',
    );
    expect(plan.pods).toContain('orders-3');
  });
});
