import type { Candidate } from '../../../../../operator/controllers/leader/election/candidate.js';
import type { ElectionOutcome } from '../../../../../operator/controllers/leader/view.js';
import { candidate } from '../given-situation.js';

/** A leader of Redis in term 5, with what its launcher says of the application. */
export const leading = (application: object = {}): Candidate =>
  candidate('a', {
    ...{ term: 5, role: 'leader', leads: true, authority: 'Lease', fencedAt: 5 },
    application: { replicationId: 'h1', offset: 100, hasData: true, ...application },
  });

/** A replica of it. */
export const following = (name: string, application: object = {}): Candidate =>
  candidate(name, {
    ...{ term: 5, role: 'replica', fencedAt: 5 },
    application: { replicationId: 'h1', offset: 99, hasData: true, isLinked: true, isFresh: true, ...application },
  });

/** What a reconcile has seen: answers of ports, and the states of calls by their names. */
export function outcomeOf(polled: object = {}, calls: Readonly<Record<string, object>> = {}): ElectionOutcome {
  return { polled, calls: { of: (name: string) => calls[name] ?? { state: 'none' } } } as unknown as ElectionOutcome;
}

/** A poll that has failed, and one with an answer. */
export const failed = (why: string) => ({ known: false, why, since: 0, earlier: [] });
export const known = (value: object) => ({ known: true, value, at: 0, earlier: [] });

const http = { http: { path: '/', port: 8080 } };
/** Specs of applications without launchers. */
export const label = { application: { label: {} }, ports: [{ name: 'http', port: 80 }] };
export const hooks = { ...label, application: { hooks: { promote: http, demote: http, status: http } } };
