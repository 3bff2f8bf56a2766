import { type TrainingJobResource, trainingJobKind } from '../../../imports/index.js';
import { readNodes } from '../../members/index.js';
import {
  ConfigMap,
  Deployment,
  type Found,
  type LiveConfigMap,
  type LivePersistentVolumeClaim,
  NetworkPolicy,
  optional,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  type Refer,
  ResourceQuota,
  Secret,
  Service,
  ServiceAccount,
  withoutOwnerReference,
} from '../../runtime/index.js';
import { quotaOf, siblingOf } from './gang/quota-state.js';
import { claimedVolume, claimKeys, claimsOfVolume, isBound } from './workers/mounted-claims.js';
import { claimNames, neededConfigMaps, neededSecrets } from './workers/needed-objects.js';

/** Kinds that a TrainingJob owns. The volume of the checkpoints can stay when the TrainingJob is deleted. */
export const owns = [
  ServiceAccount,
  Secret,
  Service,
  NetworkPolicy,
  PodDisruptionBudget,
  Deployment,
  withoutOwnerReference(PersistentVolumeClaim),
  Pod,
] as const;

/** Objects that the controller reads but does not own. */
export const reads = (refer: Refer<TrainingJobResource>) => ({
  nodes: readNodes(refer),
  /** Those of the namespace. The kind is optional: roles of an earlier version of the operator do not have it. */
  quotas: refer.matchingLabels(optional(ResourceQuota), () => ({ labels: {} }), quotaOf),
  /** All TrainingJobs of the namespace. Those under one quota take turns. */
  siblings: refer.matchingLabels(trainingJobKind, () => ({ labels: {} }), siblingOf),
  /** Whether all workers can mount the named volume. */
  isShared: refer.named(PersistentVolumeClaim, ({ spec }) => spec.checkpoint?.claimName, isShared),
  /** Those that the spec names, in the order of `claimNames`. Without them, the scheduler places no Pod. */
  claims: refer.eachNamed(
    PersistentVolumeClaim,
    ({ spec }) => claimNames(spec),
    (claim) => ({ isEnding: claim.metadata.deletionTimestamp !== undefined, isBound: isBound(claim) }),
  ),
  /**
   * Where the volumes of the claims are. The kind is optional: an operator that is limited to some namespaces may not read
   * PersistentVolumes.
   */
  volumes: refer.byIndex(optional(PersistentVolume), { indexFunc: claimsOfVolume, values: claimKeys }, claimedVolume),
  /** Keys of those that the spec names, in the order of `neededConfigMaps`. Without them, the kubelet starts no container. */
  configMaps: refer.eachNamed(ConfigMap, ({ spec }) => neededConfigMaps(spec).map(({ name }) => name), keysOf),
  /** The same of Secrets. The values are of no use. */
  secrets: refer.eachNamed(Secret, ({ spec }) => neededSecrets(spec).map(({ name }) => name), keysOf),
});

function keysOf({ data = {}, binaryData = {} }: Pick<LiveConfigMap, 'data' | 'binaryData'>): readonly string[] {
  return [...Object.keys(data), ...Object.keys(binaryData)].toSorted();
}

interface WithModes {
  readonly spec?: { readonly accessModes?: readonly string[] };
}

function isShared(claim: LivePersistentVolumeClaim): boolean {
  return (claim as WithModes).spec?.accessModes?.includes('ReadWriteMany') ?? false;
}

/** The objects that `reads` finds. */
export type TrainingReads = Found<ReturnType<typeof reads>>;
