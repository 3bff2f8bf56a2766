/** What a controller is written with. */
export type {
  Condition,
  ConditionStatus,
  Mark,
  Marks,
  Reasons,
  Vocabulary,
} from './conditions.js';
export {
  type Assessment,
  type Controller,
  type ControllerProps,
  type CustomResource,
  defineController,
  type Facts,
  type Figure,
  type Outcome,
  type Owned,
  type OwnStatus,
  type RuntimeStatus,
} from './controller.js';
export { distant } from './distant.js';
export { RejectedError } from './errors.js';
export type { Happening } from './events.js';
export type { Finalization } from './finalization.js';
export type { Answer, Answers, Ask, Asking, Gather, Gathered, Gathers, LastingFacts } from './gather.js';
export {
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  ControllerRevision,
  CronJob,
  DaemonSet,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  type LiveCondition,
  type LiveConfigMap,
  type LiveContainer,
  type LiveControllerRevision,
  type LiveDaemonSet,
  type LiveDeployment,
  type LiveJob,
  type LiveNode,
  type LiveOf,
  type LivePersistentVolumeClaim,
  type LivePod,
  type LiveSecret,
  type LiveStatefulSet,
  type LiveTermination,
  Namespace,
  NetworkPolicy,
  Node,
  type ObjectKind,
  optional,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  Role,
  RoleBinding,
  Secret,
  Service,
  ServiceAccount,
  StatefulSet,
} from './kinds.js';
export { makeOnce } from './made-once.js';
export type { LiveMeta, LiveObject, Manifest, ManifestMeta, OwnerReference } from './object.js';
export { type Port, type Provided, provided, type Source } from './port.js';
export type { Found, Labels, Read, Reads, Refer } from './reads.js';
export type { Remnant } from './remnants.js';
export { allowRecreation } from './replace-policy.js';
export type { PolicyRule } from './rights.js';
export { shared } from './shared.js';
export { timestampOf } from './timestamp.js';
export { untied } from './untied.js';
