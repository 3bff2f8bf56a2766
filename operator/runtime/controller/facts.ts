import type { ObjectKind } from '../kubernetes/kinds.js';
import type { LiveObject } from '../kubernetes/object.js';
import type { CallStates } from '../ports/external-call.js';
import type { CustomResource } from './custom-resource.js';
import type { Owned } from './owned-objects.js';
import type { Answers, Polls, StableFacts } from './polls.js';
import type { Present, Reads } from './reads.js';

/** What is known of a resource in a reconcile. */
export interface Facts<
  R extends CustomResource = CustomResource,
  K extends ObjectKind = ObjectKind,
  Q extends Reads = Reads,
  G extends Polls = Polls,
  S extends ObjectKind = ObjectKind,
> extends StableFacts<R, K, Q, S> {
  /** The answers to the polls, under the names of the declaration. Frozen. */
  readonly polled: Answers<G>;
  /** When the reconcile started. */
  readonly now: Date;
}

/** The input of `desire`. */
export type DesireFacts<
  R extends CustomResource = CustomResource,
  K extends ObjectKind = ObjectKind,
  Q extends Reads = Reads,
  G extends Polls = Polls,
  S extends ObjectKind = ObjectKind,
> = Omit<Facts<R, K, Q, G, S>, 'reads'> & { readonly reads: Present<Q> };

/** The input of `assess`. */
export interface Outcome<
  R extends CustomResource = CustomResource,
  K extends ObjectKind = ObjectKind,
  Q extends Reads = Reads,
  G extends Polls = Polls,
  S extends ObjectKind = ObjectKind,
> extends Facts<R, K, Q, G, S> {
  /** The owned objects that `desire` wants, as the API server answered the writes of this reconcile. */
  readonly owned: Owned<K>;
  /** The owned objects that `desire` no longer wants and that still exist. Empty if the desired state is not known. */
  readonly pruning: Owned<K>;
  /** How far the calls got that `desire` rendered. */
  readonly calls: CallStates;
  /** False if `desire` or the API server rejected the spec. The objects then follow an older spec. */
  readonly accepted: boolean;
  /**
   * Why an object was left unchanged: for example, another owner holds it, or a field is immutable. Later objects wait.
   */
  readonly blocker?: string | undefined;
}

/** A cell of a table. Undefined is shown as `-`. */
export type Cell = string | number | undefined;

/** A table for people: the cells of each row, by the titles of the columns. All rows have the same titles. */
export interface Table {
  /** A line above the table. @default - none */
  readonly title?: string;
  readonly rows: readonly Readonly<Record<string, Cell>>[];
}

/** What the tables of a resource are made of. */
export interface Shown<R extends CustomResource = CustomResource> {
  readonly resource: R;
  /** The objects of the resource, such as its Pods, as they are in the cluster. */
  readonly objects: readonly LiveObject[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What `reconstruct status` shows of a resource besides its conditions and objects. Pure. */
export type StatusTables<R extends CustomResource = CustomResource> = (shown: Shown<R>) => readonly Table[];
