import type { SharedRole } from '../election/roles.js';
import { type Situation, timesOf } from '../situation.js';

/** What all roles of a term have. */
export function sharedRole({ name, uid, spec }: Situation, term: number): SharedRole {
  const { duration, renewDeadline, retryPeriod, maxLag } = timesOf(spec);
  return {
    ...{ election: name, uid, term },
    lease: { name, duration, renewDeadline, retryPeriod },
    port: spec.application.redis?.port ?? 0,
    minReplicas: spec.safety.minReplicas,
    maxLag,
  };
}
