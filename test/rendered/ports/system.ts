import type { LiveObject, ObjectKind } from '../../../operator/index.js';
import type { Loose } from '../../given.js';

/** A question or a request, whose fields the systems look into. */
export type Asked = Loose<object>;

/** What a system sees beside the question. */
export interface Surroundings {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The objects of a kind in the cluster, by name. */
  readonly objects: (kind: ObjectKind) => readonly Loose<LiveObject>[];
}

/**
 * A system outside of the cluster, behind the port of its name. Its answer follows from the question, the cluster and the
 * requests before.
 */
export interface System {
  /** @throws {Error} if it does not answer */
  readonly answer: (question: Asked, surroundings: Surroundings) => unknown;
  /** @default - it is never changed */
  readonly perform?: (request: Asked, surroundings: Surroundings) => void | Promise<void>;
}

/** Systems by the names of their ports. */
export type Systems = Readonly<Record<string, System>>;
