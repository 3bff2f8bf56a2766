import type { ObjectKind } from '../kubernetes/kinds.js';
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
