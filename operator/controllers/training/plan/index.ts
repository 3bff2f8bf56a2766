import { isInPlace } from '../job/job.js';
import type { CoordinatorAct } from '../ports/coordinator.js';
import type { Demand } from '../room/places.js';
import type { Situation } from '../situation.js';
import { ended } from './ended.js';
import { generation } from './generation.js';
import { placement } from './placement.js';
import { processRestart } from './process-restart.js';
import type { PodStep, Step } from './step.js';
import { stop } from './stop.js';
import { suspension } from './suspension.js';

/** The Pods and the call that a reconcile renders. */
export interface Plan extends PodStep {
  readonly call?: CoordinatorAct | undefined;
}

/** Order of safety: Pods that nobody needs, then Pods that still write a checkpoint, and last the Pods that train. */
const podOrder = [ended, stop, placement];

/** Order of safety: ranks pause before anything else changes, and a stalled process restarts before all ranks do. */
const callOrder = [suspension, processRestart, generation];

/** Plans the next step: the first one for the Pods, and the first one for the coordinator. */
export function planOf(situation: Situation, demand: Demand): Plan {
  const step = firstOf<PodStep>(podOrder, situation, demand);
  const isCalled = isInPlace(situation) && !situation.memory.end;
  return { pods: [], ...step, call: isCalled ? firstOf<CoordinatorAct>(callOrder, situation, demand) : undefined };
}

type Rule<S extends Step> = (situation: Situation, demand: Demand) => S | undefined;

function firstOf<S extends Step>(order: readonly Rule<S>[], situation: Situation, demand: Demand): S | undefined {
  for (const rule of order) {
    const step = rule(situation, demand);
    if (step) return step;
  }
  return undefined;
}
