import type { ObjectKind } from '../kubernetes/kinds.js';
import type { LiveObject, Manifest, ObjectName } from '../kubernetes/object.js';

/**
 * The runtime's only access to an API server. Objects are plain JSON in both directions.
 *
 * Guarantees of every implementation (`test/operator/cluster/cluster.contract.ts` verifies them): a call that fails throws
 * {@link ApiError}. A call whose signal aborts throws that signal's reason. A write is sent once unless the server
 * asked for a retry or a repetition does no harm.
 */
export interface Cluster {
  /**
   * One page of a list, in its newest state.
   * @throws {ApiError} AnswerTooLarge if the objects exceed the response limit. A smaller page can be requested
   */
  list(kind: ObjectKind, query: ListQuery): Promise<Page>;

  /**
   * The changes since `resourceVersion`, in order, until the server or the signal ends the watch. Its end is not an
   * error. Without a version, the watch starts with the initial list, each object as ADDED, followed by SYNCED, if the
   * server can stream that.
   * @throws {ApiError} Invalid, BadRequest, Forbidden and so on if it cannot. The caller must then list
   */
  watch(kind: ObjectKind, query: WatchQuery): AsyncIterable<WatchEvent>;

  /**
   * The object as it is now, read from the server. Undefined if the server has no object of this name.
   * @throws {ApiError} NotFound if the response does not prove that: the server does not serve the kind or was not
   * reached
   */
  read(kind: ObjectKind, name: ObjectName, options?: CallOptions): Promise<LiveObject | undefined>;

  /**
   * The versions in which the server serves a kind, by its discovery. Empty if discovery proves that the kind does not
   * exist.
   * @throws {ApiError} if it proves nothing: a part of it could not be read or was not found
   */
  discover(kind: ObjectKind, options?: CallOptions): Promise<readonly string[]>;

  /** @throws {ApiError} AlreadyExists if the name is taken */
  create(kind: ObjectKind, object: Manifest, options: WriteOptions): Promise<LiveObject>;

  /**
   * Forced server-side apply: `manager` owns the fields in the object and gives up the fields that the object no longer
   * has. `metadata.uid` and `metadata.resourceVersion`, if set, are preconditions.
   */
  apply(kind: ObjectKind, object: Manifest, options: ApplyOptions): Promise<LiveObject>;

  /** JSON Patch. */
  patch(
    kind: ObjectKind,
    name: ObjectName,
    patch: readonly PatchOperation[],
    options: WriteOptions,
  ): Promise<LiveObject>;

  /**
   * Deletes the object that was read. Succeeds also if it no longer exists.
   * @returns the object while finalizers block its deletion, undefined if it is gone
   * @throws {ApiError} Conflict if another object has the name, or the object has changed. NotFound as for a read
   */
  remove(kind: ObjectKind, name: ObjectName, seen: Seen, options?: RemoveOptions): Promise<LiveObject | undefined>;
}

export interface CallOptions {
  /** Aborts the call, even if it is in flight. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called immediately before the first byte is written, at each try. If it throws, the call throws the same, and
   * nothing is sent.
   */
  readonly mayLeave?: (() => void) | undefined;
}

export interface WriteOptions extends CallOptions {
  /**
   * The object that is known under a version, so that a response of this version need not be parsed. Events are often
   * faster than the response to the write that caused them. A caller that supplies it keeps a cache: the
   * `managedFields` of the response may hold no more than those of a {@link WatchEvent}. Responses to dry runs are
   * always parsed whole, because they carry the version of the stored object. @default - nothing
   */
  readonly known?: ((resourceVersion: string) => LiveObject | undefined) | undefined;
  /** The field manager. */
  readonly manager: string;
  /** @default - the object itself */
  readonly subresource?: 'status';
  /** Whether the server only computes the result and stores nothing. @default false */
  readonly dryRun?: boolean;
  /**
   * Whether the server rejects unknown fields instead of dropping them. No further check applies to an apply. @default
   * false
   */
  readonly strict?: boolean;
}

export interface ApplyOptions extends WriteOptions {
  /**
   * The whole object as it should be, based on the version that was read, if the manager only changes values of the
   * same fields. It is sent as an update, which saves the server two thirds of the cost. The fields then belong to an
   * update of the manager, as those of a create do. If the object has changed since, the write fails with Conflict.
   * @default - the object is applied
   */
  readonly whole?: LiveObject | undefined;
}

export interface RemoveOptions extends CallOptions {
  /** Whether dependents are deleted after the object or before it. @default 'Background', after it */
  readonly propagation?: 'Background' | 'Foreground' | undefined;
}

/** Preconditions of a deletion. */
export interface Seen {
  readonly uid: string;
  /** @default - any version */
  readonly resourceVersion?: string;
}

export interface ListQuery extends CallOptions {
  /** @default - all namespaces */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  /** Objects in a page. @default - all in one */
  readonly limit?: number;
  /** The token of the previous page. */
  readonly continue?: string | undefined;
}

export interface Page {
  readonly items: readonly LiveObject[];
  /** The version of the whole list. */
  readonly resourceVersion: string;
  /** Where the next page starts. Undefined on the last page. */
  readonly continue?: string | undefined;
  /** The length of its JSON as received. */
  readonly bytes: number;
}

export interface WatchQuery extends CallOptions {
  /** @default - all namespaces */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  /** @default - starts with the initial list */
  readonly resourceVersion?: string | undefined;
  /** Seconds after which the server ends the watch. */
  readonly timeoutSeconds: number;
  /**
   * True for a version whose object is known. The event need not be parsed and may arrive as KNOWN. @default - none is
   * known
   */
  readonly isKnown?: ((resourceVersion: string) => boolean) | undefined;
}

/**
 * A bookmark reports the progress of the watch without a change. KNOWN reports a version that the caller knows. SYNCED
 * comes once, and only on a watch that started without a version: the initial list is complete.
 */
export type WatchEvent =
  | {
      readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
      /**
       * Its `managedFields` may hold only the entries of creates and updates. A deleted object may hold only its
       * metadata.
       */
      readonly object: LiveObject;
      /** The length of its JSON as received. */
      readonly bytes: number;
    }
  | { readonly type: 'BOOKMARK' | 'KNOWN' | 'SYNCED'; readonly resourceVersion: string };

/** @see https://datatracker.ietf.org/doc/html/rfc6902 */
export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

/** Makes a patch fail with Conflict if the object has changed since it was read. */
export function overVersion({ metadata: { resourceVersion } }: LiveObject): PatchOperation {
  return { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion };
}

/** Removes a finalizer. Empty if the object does not have it. */
export function finalizerRemoval({ metadata }: LiveObject, finalizer: string): readonly PatchOperation[] {
  const index = metadata.finalizers?.indexOf(finalizer) ?? -1;
  return index < 0 ? [] : [{ op: 'remove', path: `/metadata/finalizers/${index}` }];
}

/**
 * Sends a write of one object. Resolves to the object as it is now, or to undefined if it is gone.
 * @param known the object that is known under a version by then. The watch may be faster than the response
 */
export type Send = (known: (resourceVersion: string) => LiveObject | undefined) => Promise<LiveObject | undefined>;
