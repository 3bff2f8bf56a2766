import type { Construct } from 'constructs';
import type { ObjectKind, PolicyRule } from '../kubernetes/kinds.js';
import type { LiveObject } from '../kubernetes/object.js';
import type { ResourceEvent } from '../ports/event-recorder.js';
import type { ConditionSet, Marks } from './conditions.js';
import type { CustomResource, OwnStatus } from './custom-resource.js';
import type { Facts, Outcome } from './facts.js';
import type { OwnedStatus } from './owned-status.js';
import type { PollBuilder, Polls } from './polls.js';
import type { Labels, Reads, Refer } from './reads.js';

/** What `assess` found. */
export interface Assessment<
  R extends CustomResource = CustomResource,
  V extends ConditionSet = ConditionSet,
  F extends keyof OwnStatus<R> = keyof OwnStatus<R>,
> {
  readonly conditions: Marks<V>;
  readonly status?: Pick<OwnStatus<R>, F>;
  /** What has happened, told as events when this changes the status. Changes of conditions are told by themselves. @default [] */
  readonly events?: readonly ResourceEvent[];
  /** Milliseconds: look again by then at the latest, whatever happens. @default - the operator's resync */
  readonly requeueAfter?: number;
}

/** A number of single resources, for metrics with the labels `namespace` and `name`. */
export interface ResourceGauge<R extends CustomResource = CustomResource> {
  /** A sentence on what it is, with its unit. */
  readonly help: string;
  /** Pure, and asked of each resource whenever metrics are; undefined of one that has none, told as NaN where it throws. */
  readonly valueFrom: (resource: R) => number | undefined;
}

/** What an author declares of a kind that the operator is to run. */
export interface ControllerProps<
  R extends CustomResource = CustomResource,
  K extends ObjectKind = ObjectKind,
  V extends ConditionSet = ConditionSet,
  Q extends Reads = Reads,
  G extends Polls = Polls,
  S extends ObjectKind = ObjectKind,
  F extends keyof OwnStatus<R> = keyof OwnStatus<R>,
> {
  /** The kind it runs; `imports/` has a constant for each. */
  readonly kind: ObjectKind<R>;
  /** Names it in logs, metrics and field managers. @default - the kind in lower case */
  readonly name?: string;
  /**
   * Makes it a further controller of a kind that another one leads, for the resources of which this is true. It says
   * its `statusFields` and `conditions` and nothing else; `Accepted` and `Ready` are the leader's. Other resources cost it no
   * pass, unless it has made or said something of them: then `desire` is asked, to take it back in its order.
   * @default - it leads
   */
  readonly filter?: (resource: R) => boolean;
  /** The fields of the status that it fills in, where another controller of the kind fills in others. @default - all */
  readonly statusFields?: readonly F[];
  /** Kinds of which it looks at what the other controllers of its kind made. @default [] */
  readonly watchesSiblings?: readonly S[];
  /** The kinds that `desire` may render. Watches, rights and pruning follow from it. */
  readonly owns: readonly K[];
  /**
   * Objects of others that its resources refer to: a change of one wakes the resources that refer to it, and no others.
   * State it before `desire`, so that the compiler knows their types there.
   * @default - none
   */
  readonly reads?: (refer: Refer<R>) => Q;
  /**
   * What its resources want to know that no API server tells: asked in the background, and a pass goes on with what is
   * known. State it after `reads` and before `desire`, so that the compiler knows its types.
   * @default - nothing
   */
  readonly polls?: (ask: PollBuilder<R, K, Q, S>) => G;
  /** What it can say. `Ready` is True when all of these are, but for `informationalConditions`. */
  readonly conditions: V;
  /** Conditions that inform and have no part in `Ready`. @default [] */
  readonly informationalConditions?: readonly Extract<keyof V, string>[];
  /**
   * Gauges of single resources, by their names in Prometheus: of few resources, as each is a time series.
   * @default - none
   */
  readonly metrics?: Readonly<Record<string, ResourceGauge<R>>>;
  /**
   * Ask `desire` for a resource that is being deleted too: what must still exist. The resource goes when nothing is
   * desired and nothing owned is left. @default false
   */
  readonly finalizes?: boolean | Finalization<R>;
  /**
   * Of what is untied and not desired any more: whether it is left where it is instead of deleted. It is nobody's then; a
   * resource of the same name that desires it takes it up again, with what it holds. Pure.
   * @default - nothing is left
   */
  readonly retains?: (object: LiveObject, resource: R) => boolean;
  /**
   * What others made for a resource that is being deleted, of kinds that the controller owns: it goes when nothing that is
   * owned is left, and before the resource does. Pure, and only with `finalizes`. @default - nothing
   */
  readonly foreignLeftovers?: (resource: R) => readonly ForeignLeftover<K>[];
  /**
   * When the last accepted spec is kept beyond the process, as a ControllerRevision: when another one is rejected, or
   * each before anything is made of it (two to three requests more an edit, for controllers of data), or never. What
   * runs is mended by it while the spec is rejected. @default 'whenRejected'; 'never' for a kind of the whole cluster
   */
  readonly keepsRevisions?: 'whenRejected' | 'always' | 'never';
  /**
   * What becomes of a pass whose resource is edited or deleted meanwhile: it is cut before its next write and begun
   * again with the new spec, or it is finished first. @default 'restart'
   */
  readonly onSpecChange?: 'restart' | 'finish';
  /**
   * Renders what should exist into the scope. Pure: the same facts give the same objects.
   * @throws {RejectedError} when the spec cannot work
   */
  desire(scope: Construct, facts: Facts<R, K, Q, G, S>): void;
  /** Judges how far it got. Pure. */
  assess(outcome: Outcome<R, K, Q, G, S>): Assessment<R, V, F>;
}

/** A controller as the runtime runs it, whatever its kind: the types of its declaration have done their work. */
export interface Controller
  extends Omit<
    ControllerProps,
    'desire' | 'assess' | 'reads' | 'polls' | 'finalizes' | 'retains' | 'foreignLeftovers'
  > {
  readonly name: string;
  readonly reads: Reads;
  readonly polls: Polls;
  readonly watchesSiblings: readonly ObjectKind[];
  /** True of the one controller of a kind that says whether a resource is accepted and ready. */
  readonly isPrimary: boolean;
  /** What of a resource's status is its to write. */
  readonly share: OwnedStatus;
  readonly informationalConditions: readonly string[];
  readonly finalizes: boolean;
  readonly finalization: Required<Finalization>;
  readonly onSpecChange: 'restart' | 'finish';
  readonly keepsRevisions: 'whenRejected' | 'always' | 'never';
  /** The least rights that running it takes, in each namespace that is watched. */
  readonly rights: readonly PolicyRule[];
  retains?(object: LiveObject, resource: CustomResource): boolean;
  foreignLeftovers?(resource: CustomResource): readonly ForeignLeftover[];
  desire(scope: Construct, facts: Facts): void;
  assess(outcome: Outcome): Assessment;
}

/** How a deleted resource is undone. */
export interface Finalization<R extends CustomResource = CustomResource> {
  /** Milliseconds from the deletion on that it may take. @default 1_800_000, half an hour */
  readonly deadline?: number;
  /**
   * `keep`: the resource stays until its undoing has ended or a person lets it go, and says so in `DeletionBlocked`.
   * `release`: it goes, the garbage collector takes what it owns, and an event says what was left. @default 'keep'
   */
  readonly onDeadline?: 'keep' | 'release';
  /**
   * Whether there is something of a resource to be undone which is no object of the cluster, as an account or a file: it is
   * held for that too, though it owns nothing. Once it is deleted, `desire` alone says for how long. Pure.
   * @default - there is nothing
   */
  readonly external?: (resource: R) => boolean;
}

/** What others made for a resource, in its namespace, and nobody takes away with it. */
export interface ForeignLeftover<K extends ObjectKind = ObjectKind> {
  readonly kind: K;
  readonly name: string;
  /** By which it is recognised: what lacks one of them is somebody else's, and stays. */
  readonly labels: Labels;
}
