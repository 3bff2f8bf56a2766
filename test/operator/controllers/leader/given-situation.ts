import type { Candidate, Told } from '../../../../operator/controllers/leader/election/candidate.js';
import type { Memory } from '../../../../operator/controllers/leader/election/memory.js';
import type { ApplicationReport, LauncherReport } from '../../../../operator/controllers/leader/ports/launchers.js';
import type { LeaseAnswer } from '../../../../operator/controllers/leader/ports/leases.js';
import type { LeaderRole } from '../../../../operator/controllers/leader/ports/roles.js';
import type { Situation } from '../../../../operator/controllers/leader/situation.js';
import { type GivenSpec, givenReport, givenSpec } from './given-election.js';

/** Names of the three Pods. */
export const pods = ['a', 'b', 'c'] as const;

/** A candidate whose launcher has the report, or is silent. */
export function candidate(
  name: string,
  report?: Partial<Omit<LauncherReport, 'application'>> & { readonly application?: Partial<ApplicationReport> },
  more: Partial<Candidate> = {},
): Candidate {
  const uid = `uid-${name}`;
  const { application, ...rest } = report ?? {};
  const whole = report && {
    ...givenReport(name, uid, rest),
    application: { ...givenReport(name, uid).application, ...application },
  };
  const known = { name, uid, address: `10.0.0.${name.charCodeAt(0)}`, isReady: true, isEnding: false, created: '' };
  return { ...known, report: whole, told: { isLabelled: false }, ...more };
}

/** A candidate that is detached for a term, with data of the history `h1`. */
export const fenced = (name: string, offset: number, report: Partial<LauncherReport> = {}, application: object = {}) =>
  candidate(
    name,
    {
      ...{ term: 6, fencedAt: 6, role: 'none', ...report },
      application: { replicationId: 'h1', offset, hasData: true, ...application },
    },
    { told: toldRole({ role: 'none', term: report.term ?? 6 }) },
  );

/** The leader `a` in term 5. */
export const leading = candidate('a', {
  term: 5,
  role: 'leader',
  leads: true,
  authority: 'Lease',
  fencedAt: 5,
  application: { replicationId: 'h1', offset: 100, hasData: true },
});
/** A replica of it, with a complete copy. */
export const following = (name: string, application: object = {}) =>
  candidate(name, {
    ...{ term: 5, role: 'replica', fencedAt: 5 },
    application: { replicationId: 'h1', offset: 99, hasData: true, isLinked: true, isFresh: true, ...application },
  });

/** What a Pod was told by the election. */
export function toldRole(role: Partial<LeaderRole>): Told {
  return { isLabelled: false, role: { uid: 'election', ...role } as LeaderRole };
}

/** The Lease of `a` in term 5. */
export const held: LeaseAnswer = {
  ...{ state: 'held', uid: 'lease', term: 5, version: '1', holder: 'a/uid-a/boot-of-a' },
};
export const expired: LeaseAnswer = { ...held, state: 'expired', since: 1_000 } as LeaseAnswer;
export const released: LeaseAnswer = { state: 'released', uid: 'lease', term: 5, version: '2' };

/** What the status has while `a` leads in term 5, and `b` and `c` follow it. */
export const memory: Memory = {
  ...{ leader: 'a', leaderUid: 'uid-a', term: 5, since: 0, history: 'h1', historyTerm: 5, names: [...pods] },
  historian: { name: 'a', uid: 'uid-a', boot: 'boot-of-a' },
  members: ['b', 'c'].map((name) => ({ name, uid: `uid-${name}`, boot: `boot-of-${name}`, isComplete: true })),
};

/** What the status has before the first election. */
export const noMemory: Memory = { term: 0, historyTerm: 0, members: [], names: [] };

/** A situation in which nobody asks for anything. */
export function situation(given: Partial<Situation> & { readonly of?: GivenSpec } = {}): Situation {
  const { of, ...more } = given;
  return {
    ...{ now: 1_000_000, name: 'cache', namespace: 'shop', uid: 'election', spec: givenSpec(of), fencing: 'launcher' },
    ...{
      lease: held,
      candidates: [],
      existing: pods.map((name) => `uid-${name}`),
      ending: [],
      memory,
      reportsAt: 1_000,
    },
    ...more,
  };
}
