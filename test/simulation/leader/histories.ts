import type { Histories } from '../plan-history.js';
import { leaderHistory } from './leader-history.js';

/** Histories of the plan of a LeaderElection. */
export const histories = { leader: leaderHistory } satisfies Histories;
