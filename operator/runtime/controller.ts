import type { Construct } from 'constructs';
import type { Condition, Marks, Vocabulary } from './conditions.js';
import type { Happening } from './events.js';
import { type Finalization, patient } from './finalization.js';
import { type Answers, type Ask, ask, type Gathers } from './gather.js';
import { groupKindOf, type LiveOf, type ObjectKind } from './kinds.js';
import type { LiveObject } from './object.js';
import { type Found, type Reads, type Refer, refer } from './reads.js';
import type { Remnant } from './remnants.js';
import { type PolicyRule, rightsOf } from './rights.js';
import { runtimeConditions, type Share, shareOf } from './share.js';
import { refuseFar } from './shared.js';
import { refuseLoose } from './untied.js';

/** A custom resource as the runtime knows it: any kind, with the part of its status that the runtime writes. */
export interface CustomResource extends LiveObject {
  readonly spec?: unknown;
  readonly status?: object | undefined;
}

/** The part of every resource's status that the runtime writes; the rest is the controller's. */
export interface RuntimeStatus {
  /** The generation of the spec that the status is about. */
  readonly observedGeneration?: number;
  readonly conditions?: readonly Condition[];
  /** Passes that failed in a row; 0 when the last one did not. */
  readonly retryCount?: number;
  /** RFC 3339: when something else in the status moved last. */
  readonly lastReconciled?: string;
}

/** The runtime's part of a resource's status; empty while it says nothing. */
export function runtimeStatusOf(resource: LiveObject | undefined): RuntimeStatus {
  return (resource as CustomResource | undefined)?.status ?? {};
}

/** What the status says of the last spec that was judged. */
export function acceptanceOf(resource: LiveObject | undefined): Condition | undefined {
  return runtimeStatusOf(resource).conditions?.find(({ type }) => type === 'Accepted');
}

/** The status fields that a controller fills in: those of the schema that are not the runtime's. */
export type OwnStatus<R extends CustomResource> = Partial<Omit<NonNullable<R['status']>, keyof RuntimeStatus>>;

/** The objects that a resource owns, as they are now. Frozen. */
export interface Owned<K extends ObjectKind = ObjectKind> {
  /** All of a kind, by name. */
  of<O extends K>(kind: O): readonly LiveOf<O>[];
  /** The only one of a kind; the first by name if there are more, undefined if there is none. */
  one<O extends K>(kind: O): LiveOf<O> | undefined;
  /** Of every kind. */
  all(): readonly LiveObject[];
}

/** What `desire` may know. */
export interface Facts<
  R extends CustomResource = CustomResource,
  K extends ObjectKind = ObjectKind,
  Q extends Reads = Reads,
  G extends Gathers = Gathers,
  S extends ObjectKind = ObjectKind,
> {
  readonly resource: R;
  /** What it owns, before this pass. Of what other controllers of the kind made, see `beside`. */
  readonly owned: Owned<K>;
  /** What other controllers of the same kind made of the resource: of the kinds that `sees` names. */
  readonly beside: Owned<S>;
  /** Whether the API server has a kind, and shows it where it is read: asked of those that are `optional`. */
  isServed(kind: ObjectKind): boolean;
  /** What it refers to, under the names of the declaration. Frozen. */
  readonly reads: Found<Q>;
  /** What is known of what it asks, under the names of the declaration. Frozen. */
  readonly gathered: Answers<G>;
  /** When the pass began. */
  readonly now: Date;
}

/** What `assess` may know. */
export interface Outcome<
  R extends CustomResource = CustomResource,
  K extends ObjectKind = ObjectKind,
  Q extends Reads = Reads,
  G extends Gathers = Gathers,
  S extends ObjectKind = ObjectKind,
> extends Facts<R, K, Q, G, S> {
  /** What it owns and `desire` wants, as the API server answered this pass's writes. */
  readonly owned: Owned<K>;
  /** What it owns and `desire` does not want any more, and that is still there; nothing where it is not known what is wanted. */
  readonly leaving: Owned<K>;
  /** False when `desire` or the API server rejected the spec: what runs is of an older one. */
  readonly accepted: boolean;
  /** Why an object was left as it is: it is somebody else's, or cannot be changed. What comes after it waits. */
  readonly obstacle?: string | undefined;
}

/** What `assess` found. */
export interface Assessment<
  R extends CustomResource = CustomResource,
  V extends Vocabulary = Vocabulary,
  F extends keyof OwnStatus<R> = keyof OwnStatus<R>,
> {
  readonly conditions: Marks<V>;
  readonly status?: Pick<OwnStatus<R>, F>;
  /** What has happened, told as events when this changes the status. Changes of conditions are told by themselves. @default [] */
  readonly events?: readonly Happening[];
  /** Milliseconds: look again by then at the latest, whatever happens. @default - the operator's resync */
  readonly recheckAfter?: number;
}

/** A number of single resources, for metrics with the labels `namespace` and `name`. */
export interface Figure<R extends CustomResource = CustomResource> {
  /** A sentence on what it is, with its unit. */
  readonly help: string;
  /** Pure, and asked of each resource whenever metrics are; undefined of one that has none, told as NaN where it throws. */
  readonly of: (resource: R) => number | undefined;
}

/** What an author declares of a kind that the operator is to run. */
export interface ControllerProps<
  R extends CustomResource = CustomResource,
  K extends ObjectKind = ObjectKind,
  V extends Vocabulary = Vocabulary,
  Q extends Reads = Reads,
  G extends Gathers = Gathers,
  S extends ObjectKind = ObjectKind,
  F extends keyof OwnStatus<R> = keyof OwnStatus<R>,
> {
  /** The kind it runs; `imports/` has a constant for each. */
  readonly kind: ObjectKind<R>;
  /** Names it in logs, metrics and field managers. @default - the kind in lower case */
  readonly name?: string;
  /**
   * Makes it a further controller of a kind that another one leads, for the resources of which this is true. It says
   * its `states` and `conditions` and nothing else; `Accepted` and `Ready` are the leader's. Other resources cost it no
   * pass, unless it has made or said something of them: then `desire` is asked, to take it back in its order.
   * @default - it leads
   */
  readonly concerns?: (resource: R) => boolean;
  /** The fields of the status that it fills in, where another controller of the kind fills in others. @default - all */
  readonly states?: readonly F[];
  /** Kinds of which it looks at what the other controllers of its kind made. @default [] */
  readonly sees?: readonly S[];
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
  readonly gather?: (ask: Ask<R, K, Q, S>) => G;
  /** What it can say. `Ready` is True when all of these are, but for `informs`. */
  readonly conditions: V;
  /** Conditions that inform and have no part in `Ready`. @default [] */
  readonly informs?: readonly Extract<keyof V, string>[];
  /**
   * Gauges of single resources, by their names in Prometheus: of few resources, as each is a time series.
   * @default - none
   */
  readonly figures?: Readonly<Record<string, Figure<R>>>;
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
  readonly leaves?: (object: LiveObject, resource: R) => boolean;
  /**
   * What others made for a resource that is being deleted, of kinds that the controller owns: it goes when nothing that is
   * owned is left, and before the resource does. Pure, and only with `finalizes`. @default - nothing
   */
  readonly remnants?: (resource: R) => readonly Remnant<K>[];
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
  readonly onEdit?: 'restart' | 'finish';
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
  extends Omit<ControllerProps, 'desire' | 'assess' | 'reads' | 'gather' | 'finalizes' | 'leaves' | 'remnants'> {
  readonly name: string;
  readonly reads: Reads;
  readonly gather: Gathers;
  readonly sees: readonly ObjectKind[];
  /** True of the one controller of a kind that says whether a resource is accepted and ready. */
  readonly leads: boolean;
  /** What of a resource's status is its to write. */
  readonly share: Share;
  readonly informs: readonly string[];
  readonly finalizes: boolean;
  readonly finalization: Required<Finalization>;
  readonly onEdit: 'restart' | 'finish';
  readonly keepsRevisions: 'whenRejected' | 'always' | 'never';
  /** The least rights that running it takes, in each namespace that is watched. */
  readonly rights: readonly PolicyRule[];
  leaves?(object: LiveObject, resource: CustomResource): boolean;
  remnants?(resource: CustomResource): readonly Remnant[];
  desire(scope: Construct, facts: Facts): void;
  assess(outcome: Outcome): Assessment;
}

/**
 * Two pure functions around an apply: `desire` says what should exist, `assess` how far it got. The rest (watches,
 * queue, writes, pruning, status, rights) follows from the declaration.
 *
 * @throws {Error} when the declaration contradicts itself
 */
export function defineController<
  R extends CustomResource,
  const K extends ObjectKind,
  const V extends Vocabulary = Vocabulary,
  Q extends Reads = {},
  G extends Gathers = {},
  const S extends ObjectKind = never,
  const F extends keyof OwnStatus<R> = keyof OwnStatus<R>,
>(props: ControllerProps<R, K, V, Q, G, S, F>): Controller {
  const name = props.name ?? props.kind.kind.toLowerCase();
  for (const type of Object.keys(props.conditions)) {
    if (runtimeConditions.includes(type)) throw new Error(`controller ${name}: condition ${type} is the runtime's`);
  }
  refuseTwice(name, props.owns);
  refuseFar({ ...props, name });
  const { informs = [], sees = [], finalizes = false, onEdit = 'restart' } = props;
  refuseLoose({ name, owns: props.owns, finalizes: finalizes !== false });
  if (props.remnants && finalizes === false)
    throw new Error(`controller ${name}: remnants go before a finalizer does: set finalizes`);
  const leads = props.concerns === undefined;
  if (leads) refuseMute(props.kind);
  const finalization = { ...patient, ...(typeof finalizes === 'object' && finalizes) };
  const reads: Reads = props.reads?.(refer as Refer<R>) ?? {};
  const gather: Gathers = props.gather?.(ask as Ask<R, K, Q, S>) ?? {};
  const { keepsRevisions = props.kind.namespaced && leads ? 'whenRejected' : 'never' } = props;
  if (keepsRevisions !== 'never' && !props.kind.namespaced) {
    throw new Error(
      `controller ${name}: a ${props.kind.kind} has no namespace, so none for its revisions: keep them never`,
    );
  }
  const share = shareOf(props, leads);
  const derived = { name, reads, gather, sees, leads, share, informs, finalization, onEdit, keepsRevisions };
  const controller = { ...props, ...derived, finalizes: finalizes !== false };
  return Object.freeze({ ...controller, rights: rightsOf(controller) }) as unknown as Controller;
}

/** A kind whose schema has no place for what is found would lose it at each write, without a word. */
function refuseMute({ kind, statusFields }: ObjectKind): void {
  const missing = ['conditions', 'observedGeneration'].filter((field) => statusFields && !statusFields.includes(field));
  if (missing.length === 0) return;
  throw new Error(`the status of ${kind} has no ${missing.join(' and no ')}: add them to its schema`);
}

/** Of two entries of one kind one would hide the other. */
function refuseTwice(name: string, owns: readonly ObjectKind[]): void {
  const kinds = owns.map(groupKindOf);
  const twice = kinds.find((kind, index) => kinds.indexOf(kind) !== index);
  if (twice === undefined) return;
  const advice = `name it once, as distant(${twice.split('.')[0]}) if its objects may be in other namespaces too`;
  throw new Error(`controller ${name}: owns has ${twice} twice: ${advice}`);
}
