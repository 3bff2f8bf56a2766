import { podLabels } from '../../../../src/index.js';
import { type Mark, type Outcome, Service } from '../../../runtime/index.js';
import { weightOf } from '../judgement/index.js';
import type { conditions } from './conditions.js';
import type { Course } from './course.js';
import { planOf } from './plan.js';
import type { Progress } from './progress.js';
import type { Fault } from './record.js';
import { leadsToPods, readinessOf, type Situation, type TrialFacts } from './situation.js';
import { bearableWeight, isRolledOut } from './size.js';

type Vocabulary = typeof conditions;
type Reason<Type extends keyof Vocabulary> = Mark<Extract<keyof Vocabulary[Type], string>>;

const faults: Readonly<Record<Fault, Reason<'Promoted'>['reason']>> = {
  Bad: 'TakenBack',
  Deadline: 'DeadlineExceeded',
  RolloutFailed: 'RolloutFailed',
  Aborted: 'Aborted',
};

/** Whether the version of the spec serves, and if not, how far it is. */
export function promotedOf(
  situation: Situation,
  course: Course,
  { record, verdict }: Progress,
  { obstacle, hindrance }: Pick<Outcome, 'obstacle'> & { readonly hindrance: string },
): Reason<'Promoted'> | undefined {
  if (course === 'leave') return undefined;
  if (obstacle !== undefined) return { reason: 'Obstructed', message: obstacle };
  if (course === 'pause') return { reason: 'Paused' };
  if (course === 'prepare') return { reason: 'Preparing' };
  if (!record || course === 'rest' || course === 'first' || course === 'replace') return { reason: 'Stable' };
  const message = record.sentence;
  if (record.fault !== undefined) return { reason: faults[record.fault], message };
  const { stage } = record.state;
  if (stage === 'steps') return judgingOf(situation, { record, verdict, hindrance }, message);
  if (!isRolledOut(situation)) return { reason: 'Promoting', message };
  return stage === 'bake' ? { reason: 'Baking', message } : { reason: 'Stable' };
}

type Judged = Progress & { readonly hindrance: string };

function judgingOf(situation: Situation, { record, verdict, hindrance }: Judged, message: string): Reason<'Promoted'> {
  const { resource, trial } = situation;
  const { lifecycle } = resource.spec;
  if (!record || !lifecycle) return { reason: 'Judging', message };
  if (lifecycle.paused) return { reason: 'Paused', message };
  const target = weightOf(record.state, planOf(lifecycle, resource.spec));
  if (bearableWeight(situation, target) < target)
    return { reason: 'Starting', message: startingMessage(trial, hindrance) };
  const isMissing = (verdict ?? resource.status?.verdict)?.verdict === 'missing' && record.state.errors > 0;
  return isMissing ? { reason: 'NoNumbers', message } : { reason: 'Judging', message };
}

function startingMessage(trial: Situation['trial'], hindrance: string): string {
  const why = trial ? readinessOf(trial, hindrance) : 'its Deployment is not there yet';
  return `the pods of the version on trial are not ready, so it gets no requests: ${why}`;
}

/** Milliseconds after which a proxy that took a route up is ready for requests. */
const readyAfter = 10_000;

/** Whether the requests go through a gateway. Once they do, a moment without a word from it changes nothing. */
export function routedOf(
  { resource, name, traffic }: Situation,
  facts: Pick<TrialFacts, 'beside'> & Pick<Outcome, 'now'>,
): Reason<'Routed'> {
  const wasRouted = resource.status?.conditions?.some(({ type, status }) => type === 'Routed' && status === 'True');
  if (!resource.spec.lifecycle) {
    return { reason: leadsToPods(facts.beside.one(Service), podLabels(name)) ? 'Leaving' : 'Split' };
  }
  if (traffic.unsplit) return { reason: traffic.unsplit };
  const isReady = traffic.isTaken && (wasRouted || facts.now.getTime() - traffic.takenAt >= readyAfter);
  return { reason: isReady ? 'Split' : 'Preparing' };
}
