import type { SparkJobResource } from '../../../imports/index.js';
import type { Assessment } from '../../runtime/index.js';
import type { conditions } from './conditions.js';
import { eventsOf } from './events.js';
import { runningOf } from './findings/running.js';
import { submittedOf } from './findings/submitted.js';
import type { Job } from './job/job.js';
import type { Memory } from './job/memory.js';
import { nextMemory } from './next-memory.js';
import { nextDeadline } from './plan/index.js';
import { situationOf } from './situation.js';
import { statusOf } from './status.js';
import type { SparkOutcome } from './view.js';

type Found = Assessment<SparkJobResource, typeof conditions>;

/** Milliseconds until the next step. */
const soon = 50;

/** Derives the conditions and the status of a SparkJob from its Pods. */
export function assess(outcome: SparkOutcome): Found {
  const { resource } = outcome;
  const situation = situationOf(outcome);
  const memory = nextMemory(situation);
  return {
    conditions: {
      Submitted: submittedOf(situation, memory),
      Running: runningOf(resource, situation, memory),
    },
    status: statusOf(situation, memory),
    events: eventsOf(situation, memory),
    ...nextLook(situation, memory),
  };
}

/** What was written down now is acted on at once. */
function nextLook(situation: Job, memory: Memory): { readonly requeueAfter?: number } {
  const before = situation.memory;
  const isNew =
    memory.run !== before.run ||
    memory.attempt !== before.attempt ||
    memory.stopping?.reason !== before.stopping?.reason ||
    (memory.end === undefined) !== (before.end === undefined);
  const due = nextDeadline(situation, memory);
  if (isNew) return { requeueAfter: soon };
  return due === undefined ? {} : { requeueAfter: Math.max(soon, due - situation.now) };
}
