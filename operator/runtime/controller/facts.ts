import type { ObjectKind } from '../kubernetes/kinds.js';
import type { CustomResource } from './custom-resource.js';
import type { Owned } from './owned-objects.js';
import type { Answers, Polls, StableFacts } from './polls.js';
import type { Reads } from './reads.js';

/** What `desire` may know. */
export interface Facts<
  R extends CustomResource = CustomResource,
  K extends ObjectKind = ObjectKind,
  Q extends Reads = Reads,
  G extends Polls = Polls,
  S extends ObjectKind = ObjectKind,
> extends StableFacts<R, K, Q, S> {
  /** What is known of what it asks, under the names of the declaration. Frozen. */
  readonly polled: Answers<G>;
  /** When the pass began. */
  readonly now: Date;
}

/** What `assess` may know. */
export interface Outcome<
  R extends CustomResource = CustomResource,
  K extends ObjectKind = ObjectKind,
  Q extends Reads = Reads,
  G extends Polls = Polls,
  S extends ObjectKind = ObjectKind,
> extends Facts<R, K, Q, G, S> {
  /** What it owns and `desire` wants, as the API server answered this pass's writes. */
  readonly owned: Owned<K>;
  /** What it owns and `desire` does not want any more, and that is still there; nothing where it is not known what is wanted. */
  readonly pruning: Owned<K>;
  /** False when `desire` or the API server rejected the spec: what runs is of an older one. */
  readonly accepted: boolean;
  /** Why an object was left as it is: it is somebody else's, or cannot be changed. What comes after it waits. */
  readonly blocker?: string | undefined;
}
