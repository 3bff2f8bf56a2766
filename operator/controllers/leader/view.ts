import type { LeaderElectionResource } from '../../../imports/index.js';
import type { Facts, Outcome, Owned, Polled } from '../../runtime/index.js';
import type { ElectionReads, owns } from './declarations.js';
import type { HooksAnswer } from './ports/hooks.js';
import type { LaunchersAnswer } from './ports/launchers.js';
import type { LeaseAnswer } from './ports/leases.js';
import type { RedisAnswer } from './ports/redis.js';
import type { RolesAnswer } from './ports/roles.js';

/** What does not change with time. */
export interface StableView extends Pick<Facts<LeaderElectionResource>, 'resource'> {
  readonly owned: Pick<Owned<(typeof owns)[number]>, 'of'>;
  readonly reads: ElectionReads;
}

/** The answers of the ports. */
export interface ElectionPolled {
  readonly lease: Polled<LeaseAnswer> | undefined;
  readonly roles: Polled<RolesAnswer> | undefined;
  readonly launchers: Polled<LaunchersAnswer> | undefined;
  readonly hooks: Polled<HooksAnswer> | undefined;
  readonly redis: Polled<RedisAnswer> | undefined;
}

/** The input of `desire`. */
export interface ElectionView extends StableView, Pick<Facts, 'now'> {
  readonly polled: ElectionPolled;
}

/** The input of `assess`. */
export interface ElectionOutcome extends ElectionView, Pick<Outcome, 'calls'> {}

/** The names of the calls. */
export const callNames = { elect: 'elect', assign: 'assign', hook: 'hook' } as const;
