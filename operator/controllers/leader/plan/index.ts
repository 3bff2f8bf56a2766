import type { Situation } from '../situation.js';
import { choice } from './choice.js';
import { fence } from './fence.js';
import { knownLease } from './known-lease.js';
import { leaderWithoutLauncher } from './leader-without-launcher.js';
import type { Step } from './step.js';
import { successor } from './successor.js';
import { tenuredRoles } from './tenured-roles.js';

export type { Step, Wait } from './step.js';

/**
 * Order of safety: the term is known, a leader that may lead leads, one that ended in an orderly way has its successor. In all
 * other cases nobody confirms writes to an earlier leader before a new one is named.
 */
const withLaunchers = [knownLease, tenuredRoles, successor, fence, choice];
/** Without launchers, the end of the Pod is the fence. */
const withoutLaunchers = [knownLease, leaderWithoutLauncher];

/** The next step. The first one that is due counts, and none is taken on what is unknown. */
export function stepOf(situation: Situation): Step {
  const { rival } = situation;
  if (rival !== undefined) return { does: 'wait', why: 'rival', names: [rival] };
  const rules = situation.fencing === 'launcher' ? withLaunchers : withoutLaunchers;
  for (const rule of rules) {
    const step = rule(situation);
    if (step) return step;
  }
  return { does: 'rest' };
}
