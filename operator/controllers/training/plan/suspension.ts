import { isBackingOff, isStopping } from '../job/job.js';
import { isFinishing } from '../job/ranks.js';
import type { CoordinatorAct } from '../ports/coordinator.js';
import type { Situation } from '../situation.js';

/** Ranks write a checkpoint and pause while the job stops, and while its restart waits. */
export function suspension(situation: Situation): CoordinatorAct | undefined {
  const { report } = situation;
  const isSuspended = mustPause(situation);
  return !report || report.isSuspended === isSuspended ? undefined : { act: 'suspend', isSuspended };
}

/** Until their restart, ranks would only do steps that are done again. */
function mustPause(situation: Situation): boolean {
  return isStopping(situation) || isBackingOff(situation);
}

/** True if the coordinator can change the ranks. At the end of training, no rank takes part in a change. */
export function acceptsChange(situation: Situation): boolean {
  const hasStore = situation.report?.hasStore ?? false;
  return !(mustPause(situation) || !hasStore || isFinishing(situation));
}
