import type { Construct } from 'constructs';
import {
  AlgorithmTrial,
  controllerRevision,
  KubeObject,
  NamespaceGateway,
  podLabels,
  type TrialVersion,
  versionOf,
  withVersion,
} from '../../../../src/index.js';
import { type Facts, type Polled, Service } from '../../../runtime/index.js';
import { weightOf } from '../judgement/index.js';
import type { StartingPodsAnswer } from '../ports/starting-pods.js';
import { type Known, standsStill } from '../readings.js';
import { type KeptVersion, keptOf, revisionAnnotation } from '../versions.js';
import { sizeFor } from './capacity.js';
import { type TrialPhase, trialPhaseOf } from './next-action.js';
import { planOf } from './plan.js';
import { leadsTo, type Situation, situationOf, type TrialFacts } from './situation.js';

import { bearableWeight, dueWeight, fullSize, isRolledOut, stepWeight } from './size.js';

/** The facts that `desire` and `assess` of the trial depend on. */
export interface TrialView extends TrialFacts, Pick<Facts, 'now'> {
  readonly polled: { readonly numbers: Known; readonly startingPods: Polled<StartingPodsAnswer> | undefined };
}

/** Renders the objects of a trial: its versions, its route, and the version on trial while there is one. */
export function desire(scope: Construct, facts: TrialView): void {
  const situation = situationOf(facts);
  const course = trialPhaseOf(situation);
  const trial = trialIn(situation, course, facts);
  for (const kept of rememberedIn(situation, course, trial)) {
    const { namespace } = situation.resource.metadata;
    new KubeObject(scope, kept.name, controllerRevision({ owner: situation.name, namespace, ...kept }));
  }
  if (hasRoute(situation, facts)) addRoute(scope, situation, trial);
}

/** The version that the Pods on trial run, with its desired replicas and weight. */
interface Tried extends Omit<TrialVersion, 'spec'> {
  readonly kept: KeptVersion;
}

function addRoute(scope: Construct, situation: Situation, trial: Tried | undefined): void {
  const { resource, name, versions, traffic, host } = situation;
  const around = { ...resource.spec, host };
  const stable = versions.stable?.version ?? versionOf(around);
  const made = new AlgorithmTrial(scope, 'trial', {
    name,
    stable: withVersion(around, stable),
    gateway: traffic.gateway,
    trial: trial && { spec: withVersion(around, trial.kept.version), replicas: trial.replicas, weight: trial.weight },
  });
  if (trial) made.deployment?.metadata.addAnnotation(revisionAnnotation, trial.kept.name);
  if (traffic.isOurs) new NamespaceGateway(scope, 'gateway');
}

function trialIn(situation: Situation, course: TrialPhase, facts: TrialView): Tried | undefined {
  const { record, trial, wanted, versions, traffic, resource } = situation;
  const { lifecycle } = resource.spec;
  if (course === 'try' && record && lifecycle) {
    const plan = planOf(lifecycle, resource.spec);
    // During a pause, Pods for the next share still start: without requests they do no harm.
    const replicas = sizeFor(weightOf(record.state, plan), fullSize(situation));
    return { kept: wanted, replicas, weight: bearableWeight(situation, dueWeight(record, plan)) };
  }
  if (course === 'promote' && record && lifecycle && !isRolledOut(situation)) {
    const weight = stepWeight(record.state, planOf(lifecycle, resource.spec));
    const size = sizeFor(weight, fullSize(situation));
    return { kept: wanted, replicas: size, weight: trial?.available ? traffic.weight : 0 };
  }
  if (!trial || isUnused(situation, facts)) return undefined;
  const kept = versions.all.find(({ name }) => name === trial.revision) ?? wanted;
  return { kept, replicas: trial.replicas, weight: 0 };
}

/** Milliseconds after which a gateway has certainly applied a route, if its proxies cannot be polled. */
const certainlyHeard = 120_000;

/** True if the version on trial gets no more requests, as shown by every proxy or by the time that has passed. */
function isUnused({ record, traffic }: Situation, facts: TrialView): boolean {
  if (traffic.unsplit === 'NoGatewayApi') return true;
  const since = record?.unweightedSince;
  if (since === undefined || traffic.weight > 0) return false;
  const { numbers } = facts.polled;
  return standsStill(numbers, since) || (!numbers?.known && facts.now.getTime() - since >= certainlyHeard);
}

/** The versions to store as ControllerRevisions, each once. */
function rememberedIn(situation: Situation, course: TrialPhase, trial: Tried | undefined): readonly KeptVersion[] {
  const known = [...memorable(situation, course), ...(trial ? [trial.kept] : [])];
  return known.filter(({ name }, index) => known.findIndex((other) => other.name === name) === index);
}

function memorable({ wanted, versions, name, isStable }: Situation, course: TrialPhase): readonly KeptVersion[] {
  const { stable, before } = versions;
  const promoted = ({ version }: KeptVersion) => keptOf(name, version, (stable?.number ?? 0) + 1);
  const others = [stable, before].filter((kept) => kept !== undefined);
  if (course === 'leave') return [];
  if (course === 'first' || course === 'replace' || (course === 'promote' && !isStable))
    return [promoted(wanted), ...others];
  if (course === 'undo' && isStable && before) return [promoted(before), ...others];
  return course === 'begin' || course === 'try' || course === 'undo' ? [...others, wanted] : others;
}

/** Milliseconds until clients use the Pods again after their Service was switched back. */
const clientsHear = 15_000;

/** True while requests may go through the route. */
function hasRoute({ resource, name, traffic }: Situation, facts: TrialView): boolean {
  if (traffic.unsplit === 'NoGatewayApi') return false;
  if (resource.spec.lifecycle && !traffic.unsplit) return true;
  if (!traffic.hasRoute || !leadsTo(facts.siblings.one(Service), podLabels(name))) return traffic.hasRoute;
  const routed = resource.status?.conditions?.find(({ type }) => type === 'Routed');
  return routed?.status !== 'False' || facts.now.getTime() - Date.parse(routed.lastTransitionTime) < clientsHear;
}
