import type { Blocker, BlockerReason } from '../controller/blocker.js';
import type { ApiError } from '../kubernetes/errors.js';
import type { ObjectKind } from '../kubernetes/kinds.js';
import type { LiveObject, Manifest } from '../kubernetes/object.js';
import type { Series } from '../memory/write-breaker.js';
import type { PatchOperation } from '../ports/cluster.js';
import type { Desired } from '../rendering/render.js';

/** What happens to an object next. `send` sends a request, and its answer is an input of the next decision. */
export type Decision = (Rest | Blocked | Request) & {
  readonly news?: News | undefined;
  readonly memo?: Memo | undefined;
};

/** A request, with its reason. */
export type Request = Create | Apply | Patch | Recreate | Delete | Read;

/** What the log, the events and the metrics tell about a decision. */
export interface News {
  /** The fields in which the change of another manager is reverted. */
  readonly reverts?: readonly string[];
  /** True if the object was missing although its spec had been observed before. */
  readonly isMissing?: boolean;
  /** The reason for which further writes are suspended from now on. */
  readonly tripped?: BlockerReason;
}

/** What the process remembers of an object from now on. `send.ts` keeps it. */
export interface Memo {
  /** The object changed its state or is to have another one, so that a rejected change may be sent again. */
  readonly unblocked?: LiveObject;
  /** A change that is useless until one of both changes, and why. */
  readonly blocked?: Pick<Change, 'live' | 'wish'> & { readonly blocker: Blocker };
  /** The response to an apply, which is what the manifest means. */
  readonly applied?: Pick<Change, 'live' | 'wish'>;
  /** The writes of an object, by its ID. */
  readonly writes?: {
    readonly id: string;
    readonly series: Series | undefined;
    /** True if a write was counted. */
    readonly isCounted?: boolean;
  };
}

/** The object is as desired. */
export interface Rest {
  readonly do: 'rest';
}

/** The object stays as it is. */
export interface Blocked {
  readonly do: 'block';
  readonly blocker: Blocker;
}

/** An object that has to be changed. */
export interface Change {
  readonly desired: Desired;
  readonly wish: Manifest;
  /** The object as it was when the change was decided. */
  readonly live: LiveObject;
}

/** A change that the API server rejects as invalid. */
export interface RefusedChange extends Change {
  /** The object over which the change was sent. */
  readonly looked: LiveObject;
  readonly refusal: ApiError;
}

/**
 * Creates an object by POST, not by apply. It fails if the name is taken, instead of taking the object over, and costs the
 * server less. It is as strict as an apply: unknown fields are rejected, not dropped.
 */
export interface Create {
  readonly do: 'create';
  readonly desired: Desired;
  readonly wish: Manifest;
  /** `missing`: there is no object of the name. `again`: it was deleted to be recreated. `trial`: a dry run. */
  readonly why: 'missing' | 'again' | 'trial';
  /** The change that is tried as a new object. */
  readonly refused?: RefusedChange;
}

/**
 * Applies an object in the version that was read. An object that took its name since belongs to another owner. In a later
 * version another process may have created or updated fields in our name. If those fields are no longer desired, they
 * would stay, and no reconcile would notice.
 */
export interface Apply {
  readonly do: 'apply';
  readonly change: Change;
  /** The object over which the change is sent. */
  readonly looked: LiveObject;
  /** The whole object, sent as an update, if only values differ. */
  readonly whole: LiveObject | undefined;
  /** Set if it leaves out the fields that the API server rejected. */
  readonly refused?: RefusedChange;
}

/** Changes an object in the version that was read. Fields outside of the patch stay unchanged. */
export interface Patch {
  readonly do: 'patch';
  readonly kind: ObjectKind;
  readonly live: LiveObject;
  readonly operations: readonly PatchOperation[];
  /**
   * `join`: one more owner. `mark`: owner and label of an object that is created once. `handover`: fields of the create
   * pass to the applies. `leave`: one owner less. `untie`: no owner any more. `move`: another pod owner. `release`: our
   * finalizer.
   */
  readonly why: 'join' | 'mark' | 'handover' | 'leave' | 'untie' | 'move' | 'release';
  /** The change that follows a handover. */
  readonly change?: Change;
}

/** Deletes an object, in the version that was read, so that it can be created anew. */
export interface Recreate {
  readonly do: 'recreate';
  readonly desired: Desired;
  readonly live: LiveObject;
  readonly wish: Manifest;
  /** The fields that cannot change, for people. */
  readonly why: string;
}

/** Deletes an object that is no longer desired, in the version that was read. */
export interface Delete {
  readonly do: 'delete';
  readonly kind: ObjectKind;
  readonly live: LiveObject;
  /** True if our finalizer holds the object, so that the caches need the answer. @default false */
  readonly isHeld?: boolean;
}

/** Reads an object on which the next decision depends. */
export type Read = { readonly do: 'read'; readonly desired: Desired } & (
  | {
      /** `taken`: our watch does not show the object that has the name. `part`: only its metadata is kept. */
      readonly why: 'taken' | 'part';
    }
  | { readonly why: 'conflict'; readonly change: Change; readonly suspects: Suspects }
  | { readonly why: 'handover'; readonly change: Change; readonly same: LiveObject }
  | { readonly why: 'refusal' | 'immutable'; readonly refused: RefusedChange; readonly same: LiveObject }
);

/** A write that another manager may have reverted repeatedly. */
export interface Suspects {
  readonly id: string;
  readonly wish: string;
  readonly generation: number;
  /** The fields, with the number of times that each was reverted. */
  readonly fields: readonly { readonly path: readonly string[]; readonly count: number }[];
}

/** What came of the last request. */
export interface Answer {
  /** Undefined at first: the object is as the caches have it. */
  readonly to?: Request;
  /** The object as it is now. Undefined if it is gone. */
  readonly live?: LiveObject | undefined;
  readonly error?: unknown;
}

/** The object is as desired. */
export const rest: Rest = Object.freeze({ do: 'rest' });

/** The object waits for what the blocker names. */
export function blocked(blocker: Blocker): Blocked {
  return { do: 'block', blocker };
}
