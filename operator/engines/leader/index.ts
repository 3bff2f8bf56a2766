import { openLeader } from './open-leader.js';

/** The sources of LeaderElections. */
export const leader = { name: 'leader', open: openLeader };
