import { type AlgorithmResource, gatewayClassKind, gatewayKind, httpRouteKind } from '../../../../imports/index.js';
import { gatewayClassName, type Version, versionOf } from '../../../../src/index.js';
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
import { rolloutOf } from '../rollout.js';
import { type KeptVersion, keptOf, revisionAnnotation, type Versions, versionsIn } from '../versions.js';
import { recordOf, type TrialRecord } from './record.js';
import { type Traffic, trafficOf } from './traffic.js';

const route = optional(httpRouteKind);
const gateway = optional(shared(gatewayKind));

/** What a trial is made of. */
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

/** What the running side makes, and a trial looks at. */
export const watchesSiblings = [Deployment, Service] as const;

/** What says that the cluster has proxies for namespaces that ask for some. */
export const reads = ({ named }: Refer<AlgorithmResource>) => ({
  gatewayClass: named(optional(gatewayClassKind), () => gatewayClassName),
});

/** What `reads` finds. */
export type Looks = { readonly gatewayClass: Read<LiveObject | undefined> };

/** What is known of an Algorithm with a lifecycle, apart from what passes by itself. */
export type TrialFacts = Pick<
  Facts<AlgorithmResource, (typeof owns)[number], Looks, Polls, (typeof watchesSiblings)[number]>,
  'resource' | 'owned' | 'siblings' | 'isServed' | 'reads'
>;

/** A Deployment of one side, as a trial looks at it. */
export interface Side {
  /** The ControllerRevision of which its pods are to be. */
  readonly revision: string | undefined;
  /** Replicas that there are to be. */
  readonly replicas: number;
  readonly available: number;
  /** Every pod is of the present template: none of an older one is left. */
  readonly isPure: boolean;
  /** Every replica that there is to be is of it, and available. */
  readonly isDone: boolean;
  /** Why its rollout failed; undefined unless it did. */
  readonly failure: string | undefined;
  /** How far its rollout got. */
  readonly progress: string;
}

/** What there is of an Algorithm's versions at a moment. */
export interface Situation {
  readonly resource: AlgorithmResource;
  readonly name: string;
  /** The version of the spec. */
  readonly wanted: KeptVersion;
  readonly versions: Versions;
  readonly isStable: boolean;
  readonly traffic: Traffic;
  /** The trial that the status tells of, were it of another version. */
  readonly record: TrialRecord | undefined;
  readonly main: Side | undefined;
  readonly trial: Side | undefined;
}

export function situationOf({ resource, owned, siblings, isServed, reads: { gatewayClass } }: TrialFacts): Situation {
  const { name } = resource.metadata;
  const versions = versionsIn(owned.of(ControllerRevision), name);
  const version: Version = versionOf(resource.spec);
  const bare = keptOf(name, version, 0);
  const wanted = versions.all.find((kept) => kept.name === bare.name) ?? bare;
  return {
    resource,
    name,
    wanted,
    versions,
    isStable: versions.stable?.name === wanted.name,
    traffic: trafficOf({ resource, isServed, route: owned.one(route), gatewayClass }),
    record: recordOf(resource),
    main: sideOf(siblings.one(Deployment)),
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

/** How far the pods of a side are, and what keeps them. @param hindrance empty where nothing is seen */
export function readinessOf({ failure, progress }: Side, hindrance: string): string {
  return [failure ?? progress, ...(hindrance === '' ? [] : [hindrance])].join(': ');
}

/** A Service leads to the pods of these labels. */
export function leadsTo(service: LiveObject | undefined, labels: Readonly<Record<string, string>>): boolean {
  const { selector = {} } = (service as { spec?: { selector?: Record<string, string> } } | undefined)?.spec ?? {};
  return Object.entries(labels).every(([key, value]) => selector[key] === value);
}
