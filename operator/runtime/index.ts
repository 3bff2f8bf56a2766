/** The API for writing a controller. */
export {
  type Condition,
  type ConditionSet,
  type ConditionStatus,
  conditionOf,
  type Mark,
  type Marks,
  type Reason,
  type Reasons,
  reportOnly,
  type SomeMarks,
} from './controller/conditions.js';
export type {
  Assessment,
  Controller,
  ControllerProps,
  Finalization,
  ForeignLeftover,
  LabeledValue,
  ResourceGauge,
} from './controller/controller.js';
export type { CustomResource, OwnStatus, RuntimeStatus } from './controller/custom-resource.js';
export { defineController } from './controller/define-controller.js';
export type { Cell, DesireFacts, Facts, Outcome, Shown, StatusTables, Table } from './controller/facts.js';
export { crossNamespace, frequentlyChanged, shared, withoutOwnerReference } from './controller/owned-kinds.js';
export type { Owned } from './controller/owned-objects.js';
export type { ReportTarget } from './controller/owned-status.js';
export type {
  Answer,
  Answers,
  Poll,
  PollBuilder,
  Polled,
  PollRequest,
  Polls,
  StableFacts,
} from './controller/polls.js';
export { pollFailureOf, pollValueOf } from './controller/polls.js';
export type { Found, Labels, Present, Read, Reads, Refer } from './controller/reads.js';
export { byteSize } from './kubernetes/byte-size.js';
export { isStoredAlike } from './kubernetes/equality.js';
export { RejectedError } from './kubernetes/errors.js';
export { defined } from './kubernetes/json.js';
export {
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  ControllerRevision,
  CronJob,
  DaemonSet,
  Deployment,
  EndpointSlice,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  Lease,
  type LiveCondition,
  type LiveConfigMap,
  type LiveContainer,
  type LiveControllerRevision,
  type LiveDaemonSet,
  type LiveDeployment,
  type LiveHorizontalPodAutoscaler,
  type LiveJob,
  type LiveNode,
  type LiveOf,
  type LivePersistentVolume,
  type LivePersistentVolumeClaim,
  type LivePod,
  type LiveResourceQuota,
  type LiveSecret,
  type LiveStatefulSet,
  type LiveTermination,
  Namespace,
  NetworkPolicy,
  Node,
  type ObjectKind,
  type OtherNamespaces,
  optional,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  type PolicyRule,
  ResourceQuota,
  Role,
  RoleBinding,
  Secret,
  Service,
  ServiceAccount,
  StatefulSet,
} from './kubernetes/kinds.js';
export { type LabelSelector, selectsLabels } from './kubernetes/label-selector.js';
export {
  type LiveMeta,
  type LiveObject,
  type Manifest,
  type ManifestMeta,
  type ObjectName,
  type OwnerReference,
  olderFirst,
} from './kubernetes/object.js';
export { adviceIn } from './kubernetes/refusal-advice.js';
export { lengthOf, relativeTime } from './kubernetes/relative-time.js';
export { millisecondsOf, timestampOf } from './kubernetes/timestamp.js';
export { truncate } from './kubernetes/truncate.js';
export type { ResourceEvent } from './ports/event-recorder.js';
export {
  CallError,
  type CallErrorKind,
  type CallErrorOptions,
  type CallState,
  type CallStates,
  type MissingEffect,
  noEffectOf,
} from './ports/external-call.js';
export {
  type Announcer,
  type LongPoll,
  type Perform,
  type Performer,
  type PerformOptions,
  type Port,
  type Provided,
  provided,
  type Source,
  type SourceOptions,
} from './ports/external-port.js';
export { ExternalCall, type ExternalCallProps } from './rendering/external-call.js';
export { type KeptObject, keep, leave } from './rendering/keep.js';
export { allowRecreation, allowRejection, createOnly } from './rendering/object-policies.js';
