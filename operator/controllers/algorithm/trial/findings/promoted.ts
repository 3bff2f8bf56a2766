import type { Mark, Outcome } from '../../../../runtime/index.js';
import { type Verdict, weightOf } from '../../judgement/index.js';
import { type KeptVersion, shortName } from '../../versions/versions.js';
import type { conditions } from '../conditions.js';
import { canTake, sizeFor } from '../plan/capacity.js';
import type { Step } from '../plan/index.js';
import { bearableWeight, isRolledOut } from '../plan/size.js';
import { faultReasons, hasCurrentSentence, type TrialRecord } from '../resource/record.js';
import { settingsOf } from '../resource/settings.js';
import type { Situation } from '../situation.js';
import { isUp, readinessOf } from '../view.js';

type Promoted = Mark<keyof (typeof conditions)['Promoted']>;

/** A trial after the check of this reconcile. */
interface Checked {
  /** Undefined if there is nothing left to remember. */
  readonly record: TrialRecord | undefined;
  /** The verdict, if the metrics were analyzed. */
  readonly verdict?: Verdict | undefined;
}

/** Whether the version in the spec is the stable one, and if not, its progress. */
export function promotedOf(
  situation: Situation,
  step: Step,
  { record, verdict }: Checked,
  { blocker, hindrance }: Pick<Outcome, 'blocker'> & { readonly hindrance: string },
): Promoted | undefined {
  if (step === 'leave') return undefined;
  if (blocker !== undefined) return { reason: 'Conflict', message: blocker };
  if (step === 'pause') return { reason: 'Paused' };
  if (step === 'prepare') return { reason: 'WaitingForGateway' };
  if (!record || step === 'rest' || step === 'first' || step === 'replace') return { reason: 'Stable' };
  if (record.fault !== undefined) return { reason: faultReasons[record.fault], message: record.sentence };
  const { stage } = record.state;
  if (stage === 'steps') return analyzingOf(situation, { record, verdict, hindrance });
  if (!isRolledOut(situation)) return { reason: 'Promoting', message: promotingMessage(situation) };
  return stage === 'bake' ? { reason: 'Baking', message: bakingMessage(situation, record) } : { reason: 'Stable' };
}

interface Analyzed extends Checked {
  readonly record: TrialRecord;
  readonly hindrance: string;
}

function analyzingOf(situation: Situation, { record, verdict, hindrance }: Analyzed): Promoted {
  const { resource, trial } = situation;
  const { lifecycle } = resource.spec;
  if (!lifecycle) return { reason: 'Analyzing' };
  if (lifecycle.paused) return { reason: 'Paused', message: pausedMessage(situation, record, hindrance) };
  const target = weightOf(record.state, settingsOf(lifecycle, resource.spec));
  const bearable = bearableWeight(situation, target);
  if (bearable < target) return { reason: 'Starting', message: startingMessage(trial, hindrance) };
  if (bearable > target) return { reason: 'Starting', message: shrinkingMessage(situation, target) };
  const isMissing = (verdict ?? resource.status?.verdict)?.verdict === 'missing' && record.state.errors > 0;
  if (isMissing) return { reason: 'MetricsUnavailable', message: record.sentence };
  return {
    reason: 'Analyzing',
    message: hasCurrentSentence(record) ? record.sentence : uncountedMessage(record, target),
  };
}

function uncountedMessage({ splitSince }: TrialRecord, target: number): string {
  if (splitSince !== undefined) return `The version on trial gets ${target}% of the requests, but none was counted yet`;
  return `The gateway does not split the requests as desired yet; the version on trial should get ${target}%`;
}

function pausedMessage({ traffic, trial }: Situation, record: TrialRecord, hindrance: string): string {
  const keeps = traffic.weight > 0 ? `keeps ${traffic.weight}% of the requests` : 'gets no requests';
  const paused = `The trial is paused: the new version ${keeps}, and the timers are stopped`;
  if (hasCurrentSentence(record)) return `${paused}. ${record.sentence}`;
  return trial && !isUp(trial) ? `${paused}. ${readinessOf(trial, hindrance)}` : paused;
}

function promotingMessage(situation: Situation): string {
  const { main, wanted, record } = situation;
  const bringing = `The stable Pods are being updated to ${shownOf(wanted)}`;
  if (main?.revision !== wanted.name) return bringing;
  const missing = canTake(situation, 100) ? '' : `${record?.capacity?.pods} Pods must be ready for all requests`;
  return `${bringing}: ${readinessOf(main, missing)}`;
}

function shrinkingMessage({ traffic, record, main }: Situation, target: number): string {
  const share = `The version on trial keeps ${traffic.weight}% of the requests`;
  const needed = sizeFor(100 - target, record?.capacity?.pods ?? 1);
  return `${share} until ${needed} stable Pods are ready for the others: ${main ? readinessOf(main, '') : 'the Deployment does not exist'}`;
}

/** Also the note of the event at the start of the bake. */
function bakingMessage({ resource, wanted, versions }: Situation, record: TrialRecord): string {
  const { trial, paused, rollbackOnDrift } = resource.spec.lifecycle ?? {};
  const before = versions.before ? shownOf(versions.before) : 'the previous version';
  const isHeld = paused || !rollbackOnDrift;
  const until = paused ? 'while it is paused' : `until its bake of ${trial?.bake} ends`;
  const back = isHeld ? `no verdict rolls back to ${before}` : `a bad verdict still rolls back to ${before}`;
  const baking = `${shownOf(wanted)} is the stable version; ${back} ${until}`;
  return hasCurrentSentence(record) ? `${baking}: ${record.sentence}` : baking;
}

function shownOf({ version }: KeptVersion): string {
  return shortName(version.image);
}

function startingMessage(trial: Situation['trial'], hindrance: string): string {
  const why = trial ? readinessOf(trial, hindrance) : 'its Deployment does not exist yet';
  return `The Pods of the version on trial are not ready, so it gets no requests: ${why}`;
}
