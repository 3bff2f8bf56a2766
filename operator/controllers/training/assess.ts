import type { TrainingJobResource } from '../../../imports/index.js';
import type { Assessment } from '../../runtime/index.js';
import type { conditions } from './conditions.js';
import { nextDeadline } from './deadlines.js';
import { missingObjectEvents, sizeEvents, stopEvents } from './events.js';
import { healthyOf } from './findings/healthy.js';
import { scheduledOf } from './findings/scheduled.js';
import { trainingOf } from './findings/training.js';
import { awaitedIn, endWithin } from './job/ending.js';
import type { Memory } from './job/memory.js';
import { nextMemory } from './next-memory.js';
import { phaseOf } from './progress/phase.js';
import { type Situation, situationOf } from './situation.js';
import { statusOf } from './status.js';
import type { TrainingOutcome } from './view.js';

type Found = Assessment<TrainingJobResource, typeof conditions>;

/** Milliseconds until the next step. */
const soon = 50;

/** Derives the conditions and the status of a TrainingJob from its Pods and its coordinator. */
export function assess(outcome: TrainingOutcome): Found {
  const { resource } = outcome;
  const situation = situationOf({ ...outcome, leaving: outcome.pruning });
  const memory = nextMemory(situation);
  const phase = phaseOf(situation, memory);
  const hasEnded = memory.end !== undefined;
  const next = { memory, phase };
  const scheduled = scheduledOf(outcome, situation, next);
  return {
    conditions: {
      Scheduled: scheduled,
      Training: trainingOf(outcome, situation, next),
      Healthy: healthyOf(situation, memory),
    },
    status: { ...statusOf(resource, situation, next), phase },
    events: [
      ...sizeEvents(situation, memory),
      ...missingObjectEvents(resource, scheduled),
      ...stopEvents(resource, scheduled),
    ],
    // What was written down now is acted on at once.
    ...(hasEnded ? lastLook({ ...situation, memory }) : nextLook(situation, memory)),
  };
}

/** Pods that do not end in time are stopped. */
function lastLook(situation: Situation): { readonly requeueAfter?: number } {
  const { memory, now } = situation;
  const isAwaited = memory.end !== undefined && awaitedIn(situation).length > 0;
  return isAwaited ? { requeueAfter: Math.max(soon, memory.end.time + 1_000 * endWithin - now) } : {};
}

/** The time at which a limit is reached. Answers and Pods wake the controller by themselves. */
function nextLook(situation: Situation, memory: Memory): { readonly requeueAfter?: number } {
  const before = situation.memory;
  const isOther = (['total', 'incarnation', 'displacedBy', 'stoppingTime'] as const).some(
    (name) => memory[name] !== before[name],
  );
  const isSmaller = memory.displacedBy !== undefined && memory.members.length < before.members.length;
  if (isOther || isSmaller) return { requeueAfter: soon };
  const due = nextDeadline(situation, memory);
  return due === undefined ? {} : { requeueAfter: Math.max(soon, due - situation.now) };
}
