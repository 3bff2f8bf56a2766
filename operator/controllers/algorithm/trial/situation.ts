import { type AlgorithmResource, gatewayClassKind, gatewayKind, httpRouteKind } from '../../../../imports/index.js';
import { gatewayClassName } from '../../../../src/index.js';
import {
  ConfigMap,
  ControllerRevision,
  Deployment,
  type Facts,
  HorizontalPodAutoscaler,
  type LiveDeployment,
  type LiveObject,
  optional,
  PodDisruptionBudget,
  type Polls,
  type Read,
  type Refer,
  Service,
  shared,
} from '../../../runtime/index.js';
import { type HostReads, hostReads, hostTaken } from '../hosts.js';
import { rolloutOf } from '../rollout.js';
import { type KeptVersion, revisionAnnotation, type Versions, versionsIn, wantedOf } from '../versions.js';
import { recordOf, type TrialRecord } from './record.js';
import { type Traffic, trafficOf } from './traffic.js';

const route = optional(httpRouteKind);
const gateway = optional(shared(gatewayKind));

/** The kinds of the objects of a trial. */
export const owns = [
  ControllerRevision,
  ConfigMap,
  Service,
  Deployment,
  PodDisruptionBudget,
  HorizontalPodAutoscaler,
  route,
  gateway,
] as const;

/** The objects of the `algorithm` controller that a trial reads. */
export const watchesSiblings = [Deployment, Service] as const;

/** The GatewayClass, which shows that the cluster can run proxies per namespace, and the claims on the host. */
export const reads = (refer: Refer<AlgorithmResource>) => ({
  gatewayClass: refer.named(optional(gatewayClassKind), () => gatewayClassName),
  ...hostReads(refer),
});

/** The objects that `reads` finds. */
export type Looks = { readonly gatewayClass: Read<LiveObject | undefined> } & HostReads;

/** The facts of an Algorithm with a lifecycle, without time and polled data. */
export type TrialFacts = Pick<
  Facts<AlgorithmResource, (typeof owns)[number], Looks, Polls, (typeof watchesSiblings)[number]>,
  'resource' | 'owned' | 'siblings' | 'isServed' | 'reads'
>;

/** The Deployment of one side, as a trial sees it. */
export interface Side {
  /** The desired ControllerRevision of its Pods. */
  readonly revision: string | undefined;
  /** Desired number of replicas. */
  readonly replicas: number;
  readonly available: number;
  /** True if every Pod has the current template. */
  readonly isPure: boolean;
  /** True if every desired replica has the current template and is available. */
  readonly isDone: boolean;
  /** The cause of a failed rollout; undefined if it did not fail. */
  readonly failure: string | undefined;
  /** The progress of its rollout. */
  readonly progress: string;
}

/** The versions of an Algorithm at one time. */
export interface Situation {
  readonly resource: AlgorithmResource;
  readonly name: string;
  /** The version in the spec. */
  readonly wanted: KeptVersion;
  readonly versions: Versions;
  readonly isStable: boolean;
  readonly traffic: Traffic;
  /** The host that the route answers for beside the names of the Service; undefined if another Algorithm has it. */
  readonly host: string | undefined;
  /** The trial in the status, even if it is of another version. */
  readonly record: TrialRecord | undefined;
  readonly main: Side | undefined;
  readonly trial: Side | undefined;
}

export function situationOf({ resource, owned, siblings, isServed, reads }: TrialFacts): Situation {
  const { name } = resource.metadata;
  const versions = versionsIn(owned.of(ControllerRevision), name);
  const bare = wantedOf(resource);
  const wanted = versions.all.find((kept) => kept.name === bare.name) ?? bare;
  return {
    resource,
    name,
    wanted,
    versions,
    isStable: versions.stable?.name === wanted.name,
    traffic: trafficOf({ resource, isServed, route: owned.one(route), gatewayClass: reads.gatewayClass }),
    host: hostTaken(resource, reads) === undefined ? resource.spec.host : undefined,
    record: recordOf(resource),
    // Read only if something depends on it: each change of the status of a Deployment would cause a reconcile.
    get main() {
      return sideOf(siblings.one(Deployment));
    },
    trial: sideOf(owned.one(Deployment)),
  };
}

function sideOf(deployment: LiveDeployment | undefined): Side | undefined {
  if (!deployment) return undefined;
  const { metadata, spec, status = {} } = deployment;
  const isSeen = status.observedGeneration === metadata.generation;
  const { reason, message = '' } = rolloutOf(deployment);
  return {
    revision: metadata.annotations?.[revisionAnnotation],
    replicas: spec.replicas ?? 1,
    available: status.availableReplicas ?? 0,
    isPure: isSeen && (status.replicas ?? 0) === (status.updatedReplicas ?? 0),
    isDone: reason === 'RolledOut',
    failure: reason === 'RolloutFailed' || reason === 'FailedCreate' ? message : undefined,
    progress: message,
  };
}

/** The progress of the Pods of a side, and the cause of a delay. @param hindrance empty if no cause is known */
export function readinessOf({ failure, progress }: Side, hindrance: string): string {
  return [failure ?? progress, ...(hindrance === '' ? [] : [hindrance])].join(': ');
}

/** True if a Service selects the Pods with these labels. */
export function leadsTo(service: LiveObject | undefined, labels: Readonly<Record<string, string>>): boolean {
  const { selector = {} } = (service as { spec?: { selector?: Record<string, string> } } | undefined)?.spec ?? {};
  return Object.entries(labels).every(([key, value]) => selector[key] === value);
}
