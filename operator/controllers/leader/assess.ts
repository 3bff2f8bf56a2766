import type { LeaderElectionResource } from '../../../imports/index.js';
import type { Assessment, ResourceEvent } from '../../runtime/index.js';
import type { conditions } from './conditions.js';
import { electedOf } from './findings/elected.js';
import { joinedOf } from './findings/joined.js';
import { replicatedOf } from './findings/replicated.js';
import { servingOf } from './findings/serving.js';
import { type Step, stepOf } from './plan/index.js';
import { handledSwitchover, statusOf } from './report.js';
import { type Situation, situationOf } from './situation.js';
import type { ElectionOutcome } from './view.js';

/** Milliseconds: requeues at once. */
const atOnce = 1;

/** Reports who leads, and how far an election got. */
export function assess(outcome: ElectionOutcome): Assessment<LeaderElectionResource, typeof conditions> {
  const { resource } = outcome;
  const situation = situationOf(outcome);
  const step = stepOf(situation);
  const status = statusOf(outcome, situation, step);
  const requeueAfter = requeueOf(situation, step);
  const joined = joinedOf(situation);
  const serving = servingOf(outcome, situation);
  const replicated = replicatedOf(situation);
  return {
    conditions: {
      Elected: electedOf(outcome, situation, step),
      Serving: serving,
      Replicated: replicated,
      Joined: joined,
    },
    status,
    events: [...changeOf(resource, status), ...switchoverEvents(situation)],
    ...(requeueAfter !== undefined && { requeueAfter }),
  };
}

function changeOf(
  { status: before }: LeaderElectionResource,
  { leader, term }: { readonly leader?: string; readonly term?: number },
): readonly ResourceEvent[] {
  if (leader === undefined || (leader === before?.leader && term === before?.term)) return [];
  return [{ type: 'Normal', reason: 'LeaderElected', note: `${leader} leads in term ${term}` }];
}

function switchoverEvents(situation: Situation): readonly ResourceEvent[] {
  const handled = handledSwitchover(situation);
  return handled?.problem === undefined
    ? []
    : [{ type: 'Warning', reason: 'SwitchoverFailed', note: `The leader stays: ${handled.problem}` }];
}

function requeueOf({ now }: Situation, step: Step): number | undefined {
  const until = step.does === 'rest' || step.does === 'wait' ? step.until : undefined;
  return until === undefined ? undefined : Math.max(atOnce, until - now);
}
