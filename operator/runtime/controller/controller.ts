import type { Construct } from 'constructs';
import type { ObjectKind, PolicyRule } from '../kubernetes/kinds.js';
import type { LiveObject, Manifest } from '../kubernetes/object.js';
import type { ResourceEvent } from '../ports/event-recorder.js';
import type { Port } from '../ports/external-port.js';
import type { ConditionSet, Marks, SomeMarks } from './conditions.js';
import type { CustomResource, OwnStatus } from './custom-resource.js';
import type { DesireFacts, Facts, Outcome, StatusTables } from './facts.js';
import type { OwnedStatus, ReportTarget } from './owned-status.js';
import type { PollBuilder, Polls } from './polls.js';
import type { Labels, Reads, Refer } from './reads.js';

/** What `assess` returns. */
export interface Assessment<
  R extends CustomResource = CustomResource,
  V extends ConditionSet = ConditionSet,
  F extends keyof OwnStatus<R> = keyof OwnStatus<R>,
  O extends keyof V = never,
> {
  /** One mark for each declared condition, except for `optionalConditions`. To report fewer, use `reportOnly`. */
  readonly conditions: Marks<V, O> | SomeMarks<Partial<Marks<V, O>>>;
  readonly status?: Pick<OwnStatus<R>, F>;
  /**
   * What has happened, recorded as events if the status changes. Changes of conditions are recorded without this.
   * @default []
   */
  readonly events?: readonly ResourceEvent[];
  /** Milliseconds until the next reconcile at the latest. @default - the operator's resync period */
  readonly requeueAfter?: number;
}

/** A value of a gauge with `labels`. */
export interface LabeledValue {
  /** By the names in `labels`. */
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A gauge of single resources, with the labels `namespace` and `name`, and optionally more. */
export interface ResourceGauge<R extends CustomResource = CustomResource> {
  /** One sentence that describes the value, with its unit. */
  readonly help: string;
  /**
   * Pure. Called for each resource at each scrape. Return undefined for a resource without a value. A call that throws
   * is reported as NaN. With `label`, return the values by those of the label, and with `labels` a list.
   */
  readonly valueFrom: (resource: R) => number | Readonly<Record<string, number>> | readonly LabeledValue[] | undefined;
  /** A further label. @default - none */
  readonly label?: string;
  /** Several further labels, in the place of `label`. Keep the number of their values small. @default - none */
  readonly labels?: readonly string[];
}

/** What an author declares for a kind that the operator runs. */
export interface ControllerProps<
  R extends CustomResource = CustomResource,
  K extends ObjectKind = ObjectKind,
  V extends ConditionSet = ConditionSet,
  Q extends Reads = Reads,
  G extends Polls = Polls,
  S extends ObjectKind = ObjectKind,
  F extends keyof OwnStatus<R> = keyof OwnStatus<R>,
  O extends Extract<keyof V, string> = never,
  A extends Assessment<R, V, F, O> = Assessment<R, V, F, O>,
> {
  /** The kind that the controller reconciles. `imports/` has a constant for each kind. */
  readonly kind: ObjectKind<R>;
  /** The name in logs, metrics and field managers. @default - the kind in lower case */
  readonly name?: string;
  /**
   * Makes this a further controller of a kind that has a primary controller, for the resources for which the function
   * returns true. It reports only its `statusFields` and `conditions`. `Accepted` and `Ready` belong to the primary
   * controller. Other resources cost no reconcile, unless the controller has created or reported something for them.
   * Then `desire` is called, to remove it in order.
   * @default - it is the primary controller
   */
  readonly secondaryFor?: (resource: R) => boolean;
  /**
   * Where the controller reports. Choose `events` or `annotation` for a kind whose status belongs to others, such as
   * Namespace or a kind of another project. The conditions then become events, and with `annotation` also JSON in the
   * annotation `<name>.reconstruct.dev/conditions`. No status is written, and no CRD is expected. @default 'status'
   */
  readonly reportsTo?: ReportTarget;
  /**
   * For a controller with another `reportsTo` than `status`: the resources that it is responsible for. Other resources
   * cost no reconcile. A resource that is no longer selected is reconciled until nothing of it is left: call the same
   * function in `desire`, and render what must still exist. Pure. @default - every resource
   */
  readonly selects?: (resource: R) => boolean;
  /** The status fields that this controller writes, if another controller of the kind writes others. @default - all */
  readonly statusFields?: readonly F[];
  /** The kinds for which it sees what the other controllers of its kind created. @default [] */
  readonly watchesSiblings?: readonly S[];
  /** The kinds that `desire` may render. Watches, RBAC permissions and pruning follow from this list. */
  readonly owns: readonly K[];
  /**
   * Objects of other owners that the resources refer to. A change of such an object triggers a reconcile of only the
   * resources that refer to it. Declare it before `desire`, so that the compiler infers the types.
   * @default - none
   */
  readonly reads?: (refer: Refer<R>) => Q;
  /**
   * Facts that no API server provides. They are polled in the background, and a reconcile continues with what is known.
   * Declare it after `reads` and before `desire`, so that the compiler infers the types.
   * @default - nothing
   */
  readonly polls?: (ask: PollBuilder<R, K, Q, S>) => G;
  /**
   * Polls that `desire` renders all objects without. While a poll has no answer and `desire` has read it, no object is
   * pruned, because `desire` may have left it out for want of the answer. The polls in this list do not hold pruning, so
   * that `desire` itself must render, or `keep`, what must stay. @default [] - no prune while an answer is missing
   */
  readonly optionalPolls?: readonly Extract<keyof G, string>[] | 'all';
  /**
   * The ports through which `desire` may change what lies outside of the cluster, by `ExternalCall`. Each call names polls
   * that show its effect. @default []
   */
  readonly calls?: readonly Port[];
  /**
   * The conditions that the controller can report. `Ready` is True if all of them are, except
   * `informationalConditions`, and those of `optionalConditions` that are not reported.
   */
  readonly conditions: V;
  /**
   * What a person can do when `desire` rejects a spec, by the reason of the `RejectedError`, in Markdown. The message of the
   * error says what is wrong. @default - the reason `Invalid` alone
   */
  readonly rejections?: Readonly<Record<string, string>>;
  /** Conditions that do not affect `Ready`. @default [] */
  readonly informationalConditions?: readonly Extract<keyof V, string>[];
  /**
   * Conditions that `assess` may leave out, such as those that only some resources have. `Ready` depends on them while they
   * are reported. `assess` must report all others, each time. @default []
   */
  readonly optionalConditions?: readonly O[];
  /**
   * Gauges of single resources, by their Prometheus names. Each resource is one time series, so use them for kinds with
   * few resources.
   * @default - none
   */
  readonly metrics?: Readonly<Record<string, ResourceGauge<R>>>;
  /** What `reconstruct status` shows of a resource besides its conditions and objects. @default - nothing */
  readonly tables?: StatusTables<R>;
  /**
   * Whether `desire` is also called for a resource that is being deleted, and returns what must still exist. The
   * finalizer is removed when nothing is desired and no owned object is left. @default false
   */
  readonly finalizes?: boolean | Finalization<R>;
  /**
   * For an object without owner reference that is no longer desired: whether it stays instead of being deleted. It then
   * has no owner. A later resource of the same name that desires it adopts it with its data. Pure.
   * @default - nothing is retained
   */
  readonly retains?: (object: LiveObject, resource: R) => boolean;
  /**
   * Whether an object must not disappear yet, such as a Pod whose exit code is not in the status. It is created with the
   * finalizer of the controller, so that it still has its last state whoever deletes it, also while no operator runs. The
   * finalizer is removed once this is false for an object that `desire` does not render, and when the resource is deleted.
   * Pure. Requires `finalizes`. @default - nothing is protected
   * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/
   */
  readonly protects?: (object: Manifest, resource: R) => boolean;
  /**
   * Objects that others created for a resource that is being deleted, of kinds that the controller owns. They are
   * deleted when no owned object is left, and before the resource is. Pure. Requires `finalizes`. @default - nothing
   */
  readonly foreignLeftovers?: (resource: R) => readonly ForeignLeftover<K>[];
  /**
   * Time at which the runtime deletes the resource, in milliseconds since 1970, for example some time after its work has
   * ended. Undefined for a resource that stays. Its objects and its finalizer are treated as after any deletion. Pure.
   * @default - no resource is deleted
   */
  readonly expiresAt?: (resource: R) => number | undefined;
  /**
   * When the last accepted spec is stored as a ControllerRevision: when another spec is rejected, before each accepted
   * spec is applied (two to three more requests for each edit, for controllers of data), or never. While the spec is
   * rejected, the objects are repaired from the stored one. @default 'whenRejected'; 'never' for a cluster-scoped kind
   */
  readonly keepsRevisions?: 'whenRejected' | 'always' | 'never';
  /**
   * What happens if the resource is edited or deleted during its reconcile. `restart` stops before the next write and
   * starts again with the new spec. `finish` completes the reconcile first. @default 'restart'
   */
  readonly onSpecChange?: 'restart' | 'finish';
  /**
   * Renders the desired objects into the scope. Pure: the same facts give the same objects. While a poll that it read
   * has no answer, nothing is pruned: see `optionalPolls`. `keep` does the same by hand.
   * @throws {RejectedError} if the spec cannot work
   */
  desire(scope: Construct, facts: DesireFacts<R, K, Q, G, S>): void;
  /** Reports how far the resource got. Pure. */
  assess(outcome: Outcome<R, K, Q, G, S>): A & Exact<A, V, F>;
}

/**
 * An error for the compiler if any of the results of `assess` has a condition that is not declared, or a status field that
 * the schema lacks. Nothing is known of a kind without a type of its status.
 */
type Exact<A, V extends ConditionSet, F extends PropertyKey> = Without<
  'conditions that are not declared',
  A extends { readonly conditions: infer C } ? UnknownKeys<C, keyof V | keyof SomeMarks<object>> : never
> &
  Without<
    'fields that the status lacks',
    [F] extends [never] ? never : A extends { readonly status?: infer T } ? UnknownKeys<T, F> : never
  >;

type Without<What extends string, Keys> = [Keys] extends [never] ? unknown : { readonly [_ in What]: Keys };

type UnknownKeys<T, Known extends PropertyKey> = T extends unknown ? Exclude<keyof T, Known> : never;

/** A controller as the runtime runs it, whatever its kind. The types of its declaration are no longer needed. */
export interface Controller
  extends Omit<
    ControllerProps,
    | 'desire'
    | 'assess'
    | 'reads'
    | 'polls'
    | 'optionalPolls'
    | 'finalizes'
    | 'retains'
    | 'protects'
    | 'foreignLeftovers'
    | 'expiresAt'
    | 'tables'
    | 'optionalConditions'
  > {
  readonly name: string;
  readonly reportsTo: ReportTarget;
  readonly reads: Reads;
  readonly polls: Polls;
  readonly optionalPolls: readonly string[] | 'all';
  readonly calls: readonly Port[];
  readonly watchesSiblings: readonly ObjectKind[];
  /** True for the one controller of a kind that reports whether a resource is accepted and ready. */
  readonly isPrimary: boolean;
  /** The part of a resource's status that the controller writes. */
  readonly ownedStatus: OwnedStatus;
  readonly informationalConditions: readonly string[];
  readonly optionalConditions: readonly string[];
  readonly finalizes: boolean;
  readonly finalization: Required<Finalization>;
  readonly onSpecChange: 'restart' | 'finish';
  readonly keepsRevisions: 'whenRejected' | 'always' | 'never';
  /** The least RBAC permissions that the controller needs, in each watched namespace. */
  readonly rbacRules: readonly PolicyRule[];
  retains?(object: LiveObject, resource: CustomResource): boolean;
  protects?(object: Manifest, resource: CustomResource): boolean;
  foreignLeftovers?(resource: CustomResource): readonly ForeignLeftover[];
  expiresAt?(resource: CustomResource): number | undefined;
  tables?: StatusTables;
  desire(scope: Construct, facts: Facts): void;
  assess(outcome: Outcome): Assessment;
}

/** How a deleted resource is cleaned up. */
export interface Finalization<R extends CustomResource = CustomResource> {
  /** Milliseconds from the deletion until the cleanup is overdue. @default 1_800_000, half an hour */
  readonly deadline?: number;
  /**
   * `keep`: the resource stays until the cleanup has finished or a person releases it, and `DeletionBlocked` reports
   * this. `release`: the finalizer is removed, the garbage collector deletes what the resource owns, and an event lists
   * what was left. @default 'keep'
   */
  readonly onDeadline?: 'keep' | 'release';
  /**
   * Whether a resource has something to clean up outside of the cluster, such as an account or a file. The resource
   * then has a finalizer even if it owns no objects. After the deletion, `desire` alone decides how long the finalizer
   * stays. If it reads the status, record the external object there before anything creates it. Pure.
   * @default - nothing outside of the cluster; true for every resource if the controller has `calls`
   */
  readonly external?: (resource: R) => boolean;
}

/** Objects that others created for a resource in its namespace and that no other controller deletes. */
export interface ForeignLeftover<K extends ObjectKind = ObjectKind> {
  readonly kind: K;
  readonly name: string;
  /** Labels that identify the objects. An object that lacks one of them belongs to another owner and stays. */
  readonly labels: Labels;
}
