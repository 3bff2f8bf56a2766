import { podLabels, proxyLabels } from '../../../../../src/index.js';
import { type Mark, type Outcome, Service } from '../../../../runtime/index.js';
import { weightOf } from '../../judgement/index.js';
import type { KeptVersion } from '../../versions.js';
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

/** Whether the version of the spec serves, and if not, how far it is. */
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
  if (bearableWeight(situation, target) < target)
    return { reason: 'Starting', message: startingMessage(trial, hindrance) };
  const isMissing = (verdict ?? resource.status?.verdict)?.verdict === 'missing' && record.state.errors > 0;
  if (isMissing) return { reason: 'MetricsUnavailable', message: record.sentence };
  return { reason: 'Analyzing', message: isTold(record) ? record.sentence : untoldMessage(record, target) };
}

function untoldMessage({ splitSince }: TrialRecord, target: number): string {
  if (splitSince !== undefined) return `it gets ${target} % of the requests, and none of them was counted yet`;
  return `the requests are not split as wanted yet: it is to get ${target} % of them`;
}

function pausedMessage({ traffic, trial }: Situation, record: TrialRecord, hindrance: string): string {
  const keeps = traffic.weight > 0 ? `keeps ${traffic.weight} % of the requests` : 'gets no requests';
  const paused = `paused, so it ${keeps} and no time goes by`;
  if (isTold(record)) return `${paused}: ${record.sentence}`;
  return trial && !isUp(trial) ? `${paused}: ${readinessOf(trial, hindrance)}` : paused;
}

function promotingMessage({ main, wanted }: Situation): string {
  const bringing = `the stable pods are being brought to ${shownOf(wanted)}`;
  return main?.revision === wanted.name ? `${bringing}: ${readinessOf(main, '')}` : bringing;
}

/** That of the event too, with which the bake begins. */
function bakingMessage({ resource, wanted, versions }: Situation, record: TrialRecord): string {
  const { trial, paused, rollbackOnDrift } = resource.spec.lifecycle ?? {};
  const before = versions.before ? shownOf(versions.before) : 'the version before';
  const isHeld = paused || !rollbackOnDrift;
  const until = paused ? 'while it is paused' : `until its bake of ${trial?.bake} is over`;
  const back = isHeld ? `no number brings ${before} back` : `a bad number still brings ${before} back`;
  const baking = `${shownOf(wanted)} is stable now; ${until}, ${back}`;
  return isTold(record) ? `${baking}: ${record.sentence}` : baking;
}

function shownOf({ version }: KeptVersion): string {
  return shortName(version.image);
}

function startingMessage(trial: Situation['trial'], hindrance: string): string {
  const why = trial ? readinessOf(trial, hindrance) : 'its Deployment is not there yet';
  return `the pods of the version on trial are not ready, so it gets no requests: ${why}`;
}

/** Milliseconds after which a proxy that took a route up is ready for requests. */
const readyAfter = 10_000;
/** Milliseconds after which clients have heard that the Service leads there, which it is told to when proxies are ready. */
const ledAfter = readyAfter + 5_000;

/**
 * Whether the requests go through a gateway: the proxies are ready first, and the Service leads to them then, so who
 * begins to ask once it is `Split` asks them. It stays so while the gateway has the route, however often it changes.
 */
export function routedOf(
  { resource, name, traffic }: Situation,
  { siblings, now }: Pick<TrialFacts, 'siblings'> & Pick<Outcome, 'now'>,
): Reason<'Routed'> {
  const service = siblings.one(Service);
  const said = resource.status?.conditions?.find(({ type }) => type === 'Routed');
  if (!resource.spec.lifecycle) {
    return { reason: leadsTo(service, podLabels(name)) ? 'SwitchingToPods' : 'TrafficSplit' };
  }
  if (traffic.unsplit) return { reason: traffic.unsplit };
  if (!traffic.isTaken) return { reason: 'WaitingForGateway' };
  if (said?.status === 'True') return { reason: 'TrafficSplit' };
  const taken = now.getTime() - traffic.takenAt;
  if (taken < readyAfter && said?.reason !== 'SwitchingToGateway') return { reason: 'WaitingForGateway' };
  const isLed = !traffic.isHere || (taken >= ledAfter && leadsTo(service, proxyLabels(traffic.gateway.name)));
  return { reason: isLed ? 'TrafficSplit' : 'SwitchingToGateway' };
}
