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
import { conditionOf, Service } from '../../../runtime/index.js';
import { weightOf } from '../judgement/index.js';
import { getsNoRequests } from '../request-metrics/polled-metrics.js';
import { type KeptVersion, keptOf, revisionAnnotation } from '../versions/versions.js';
import type { conditions } from './conditions.js';
import { sizeFor } from './plan/capacity.js';
import { type Step, stepOf } from './plan/index.js';
import { bearableWeight, dueWeight, fullSize, isRolledOut, stepWeight } from './plan/size.js';
import { settingsOf } from './resource/settings.js';
import { type Situation, situationOf } from './situation.js';
import { leadsTo, type TrialView } from './view.js';

/** Renders the objects of a trial: its versions, its route, and the version on trial while there is one. */
export function desire(scope: Construct, view: TrialView): void {
  const situation = situationOf(view);
  const step = stepOf(situation);
  const trial = trialIn(situation, step, view);
  for (const kept of versionsToStore(situation, step, trial)) {
    const { namespace } = situation.resource.metadata;
    new KubeObject(scope, kept.name, controllerRevision({ owner: situation.name, namespace, ...kept }));
  }
  if (hasRoute(situation, view)) addRoute(scope, situation, trial);
}

/** The version that the Pods on trial run, with its desired replicas and weight. */
interface VersionOnTrial extends Omit<TrialVersion, 'spec'> {
  readonly kept: KeptVersion;
}

function addRoute(scope: Construct, situation: Situation, trial: VersionOnTrial | undefined): void {
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

function trialIn(situation: Situation, step: Step, view: TrialView): VersionOnTrial | undefined {
  const { record, trial, wanted, versions, traffic, resource } = situation;
  const { lifecycle } = resource.spec;
  if (step === 'try' && record && lifecycle) {
    const settings = settingsOf(lifecycle, resource.spec);
    // During a pause, Pods for the next share still start: without requests they do no harm.
    const replicas = sizeFor(weightOf(record.state, settings), fullSize(situation));
    return { kept: wanted, replicas, weight: bearableWeight(situation, dueWeight(record, settings)) };
  }
  if (step === 'promote' && record && lifecycle && !isRolledOut(situation)) {
    const weight = stepWeight(record.state, settingsOf(lifecycle, resource.spec));
    const size = sizeFor(weight, fullSize(situation));
    return { kept: wanted, replicas: size, weight: trial?.available ? traffic.weight : 0 };
  }
  if (!trial || isUnused(situation, view)) return undefined;
  const kept = versions.all.find(({ name }) => name === trial.revision) ?? wanted;
  return { kept, replicas: trial.replicas, weight: 0 };
}

/** Milliseconds after which a gateway has certainly applied a route, if its proxies cannot be polled. */
const certainlyApplied = 120_000;

/** True if the version on trial gets no more requests, as shown by every proxy or by the time that has passed. */
function isUnused({ record, traffic }: Situation, view: TrialView): boolean {
  if (traffic.unsplit === 'NoGatewayApi') return true;
  const since = record?.unweightedSince;
  if (since === undefined || traffic.weight > 0) return false;
  const { numbers } = view.polled;
  return getsNoRequests(numbers, since) || (!numbers?.known && view.now.getTime() - since >= certainlyApplied);
}

/** The versions to store as ControllerRevisions, each once. */
function versionsToStore(situation: Situation, step: Step, trial: VersionOnTrial | undefined): readonly KeptVersion[] {
  const known = [...versionsOfStep(situation, step), ...(trial ? [trial.kept] : [])];
  return known.filter(({ name }, index) => known.findIndex((other) => other.name === name) === index);
}

function versionsOfStep({ wanted, versions, name, isStable }: Situation, step: Step): readonly KeptVersion[] {
  const { stable, before } = versions;
  const promoted = ({ version }: KeptVersion) => keptOf(name, version, (stable?.number ?? 0) + 1);
  const others = [stable, before].filter((kept) => kept !== undefined);
  if (step === 'leave') return [];
  if (step === 'first' || step === 'replace' || (step === 'promote' && !isStable)) return [promoted(wanted), ...others];
  if (step === 'undo' && isStable && before) return [promoted(before), ...others];
  return step === 'begin' || step === 'try' || step === 'undo' ? [...others, wanted] : others;
}

/** Milliseconds until clients use the Pods again after their Service was switched back. */
const clientsSwitch = 15_000;

/** True while requests may go through the route. */
function hasRoute({ resource, name, traffic }: Situation, view: TrialView): boolean {
  if (traffic.unsplit === 'NoGatewayApi') return false;
  if (resource.spec.lifecycle && !traffic.unsplit) return true;
  if (!traffic.hasRoute || !leadsTo(view.siblings.one(Service), podLabels(name))) return traffic.hasRoute;
  const routed = conditionOf<typeof conditions>(resource, 'Routed');
  return routed?.status !== 'False' || view.now.getTime() - Date.parse(routed.lastTransitionTime) < clientsSwitch;
}
