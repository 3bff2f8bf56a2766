import { podLabels, proxyLabels } from '../../../../../src/index.js';
import { type Mark, type Outcome, Service } from '../../../../runtime/index.js';
import { weightOf } from '../../judgement/index.js';
import type { KeptVersion } from '../../versions.js';
import { canTake, sizeFor } from '../capacity.js';
import type { conditions } from '../conditions.js';
import type { TrialPhase } from '../next-action.js';
import { planOf } from '../plan.js';
import type { Progress } from '../progress.js';
import { faultReasons, isTold, type TrialRecord } from '../record.js';
import { leadsTo, readinessOf, type Situation, type TrialFacts } from '../situation.js';
import { bearableWeight, isRolledOut, isUp } from '../size.js';
import { shortName } from './fields.js';

type Vocabulary = typeof conditions;
type Reason<Type extends keyof Vocabulary> = Mark<Extract<keyof Vocabulary[Type], string>>;

/** Whether the version in the spec is the stable one, and if not, its progress. */
export function promotedOf(
  situation: Situation,
  course: TrialPhase,
  { record, verdict }: Progress,
  { blocker, hindrance }: Pick<Outcome, 'blocker'> & { readonly hindrance: string },
): Reason<'Promoted'> | undefined {
  if (course === 'leave') return undefined;
  if (blocker !== undefined) return { reason: 'Conflict', message: blocker };
  if (course === 'pause') return { reason: 'Paused' };
  if (course === 'prepare') return { reason: 'WaitingForGateway' };
  if (!record || course === 'rest' || course === 'first' || course === 'replace') return { reason: 'Stable' };
  if (record.fault !== undefined) return { reason: faultReasons[record.fault], message: record.sentence };
  const { stage } = record.state;
  if (stage === 'steps') return judgingOf(situation, { record, verdict, hindrance });
  if (!isRolledOut(situation)) return { reason: 'Promoting', message: promotingMessage(situation) };
  return stage === 'bake' ? { reason: 'Baking', message: bakingMessage(situation, record) } : { reason: 'Stable' };
}

interface Judged extends Pick<Progress, 'verdict'> {
  readonly record: TrialRecord;
  readonly hindrance: string;
}

function judgingOf(situation: Situation, { record, verdict, hindrance }: Judged): Reason<'Promoted'> {
  const { resource, trial } = situation;
  const { lifecycle } = resource.spec;
  if (!lifecycle) return { reason: 'Analyzing' };
  if (lifecycle.paused) return { reason: 'Paused', message: pausedMessage(situation, record, hindrance) };
  const target = weightOf(record.state, planOf(lifecycle, resource.spec));
  const bearable = bearableWeight(situation, target);
  if (bearable < target) return { reason: 'Starting', message: startingMessage(trial, hindrance) };
  if (bearable > target) return { reason: 'Starting', message: shrinkingMessage(situation, target) };
  const isMissing = (verdict ?? resource.status?.verdict)?.verdict === 'missing' && record.state.errors > 0;
  if (isMissing) return { reason: 'MetricsUnavailable', message: record.sentence };
  return { reason: 'Analyzing', message: isTold(record) ? record.sentence : untoldMessage(record, target) };
}

function untoldMessage({ splitSince }: TrialRecord, target: number): string {
  if (splitSince !== undefined) return `The version on trial gets ${target}% of the requests, but none was counted yet`;
  return `The gateway does not split the requests as desired yet; the version on trial should get ${target}%`;
}

function pausedMessage({ traffic, trial }: Situation, record: TrialRecord, hindrance: string): string {
  const keeps = traffic.weight > 0 ? `keeps ${traffic.weight}% of the requests` : 'gets no requests';
  const paused = `The trial is paused: the new version ${keeps}, and the timers are stopped`;
  if (isTold(record)) return `${paused}. ${record.sentence}`;
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
  return isTold(record) ? `${baking}: ${record.sentence}` : baking;
}

function shownOf({ version }: KeptVersion): string {
  return shortName(version.image);
}

function startingMessage(trial: Situation['trial'], hindrance: string): string {
  const why = trial ? readinessOf(trial, hindrance) : 'its Deployment does not exist yet';
  return `The Pods of the version on trial are not ready, so it gets no requests: ${why}`;
}

/** Milliseconds after which a proxy that accepted a route is ready for requests. */
const readyAfter = 10_000;
/** Milliseconds until clients use the proxies. The Service is switched to them when they are ready. */
const ledAfter = readyAfter + 5_000;

/**
 * Whether the requests go through a gateway. The Service is switched to the proxies only after they are ready, so
 * clients that connect after `TrafficSplit` reach the proxies. The reason then stays while the gateway accepts the
 * route, even if the route changes.
 */
export function routedOf(
  { resource, name, traffic }: Situation,
  outcome: Pick<TrialFacts, 'siblings'> & Pick<Outcome, 'now'>,
): Reason<'Routed'> {
  const service = () => outcome.siblings.one(Service);
  const said = resource.status?.conditions?.find(({ type }) => type === 'Routed');
  if (!resource.spec.lifecycle) {
    return { reason: leadsTo(service(), podLabels(name)) ? 'SwitchingToPods' : 'TrafficSplit' };
  }
  if (traffic.unsplit) return { reason: traffic.unsplit };
  if (!traffic.isTaken) return { reason: 'WaitingForGateway' };
  if (said?.status === 'True') return { reason: 'TrafficSplit' };
  // The time is a fact of this assessment only while the Service is being switched.
  const taken = outcome.now.getTime() - traffic.takenAt;
  if (taken < readyAfter && said?.reason !== 'SwitchingToGateway') return { reason: 'WaitingForGateway' };
  const isLed = !traffic.isHere || (taken >= ledAfter && leadsTo(service(), proxyLabels(traffic.gateway.name)));
  return { reason: isLed ? 'TrafficSplit' : 'SwitchingToGateway' };
}
