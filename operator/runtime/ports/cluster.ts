import type { ObjectKind } from '../kubernetes/kinds.js';
import type { LiveObject, Manifest, ObjectName } from '../kubernetes/object.js';

/**
 * The runtime's only way to an API server. Objects are plain JSON both ways.
 *
 * Guarantees of every implementation (`test/operator/cluster.contract.ts` holds them to it): a call that fails
 * throws {@link ApiError}; one whose signal aborts throws that signal's reason; a write is sent once unless the server
 * asked for a retry or repeating it cannot do harm.
 */
export interface Cluster {
  /**
   * One page of a list, newest state.
   * @throws {ApiError} AnswerTooLarge when so many objects are longer than what is taken in: fewer can be asked for
   */
  list(kind: ObjectKind, query: ListQuery): Promise<Page>;

  /**
   * News since `resourceVersion`, in order, until the server or the signal ends it; the end is not an error. Without a
   * version it begins with everything there is, each object as ADDED and then SYNCED, where the server can stream that.
   * @throws {ApiError} Invalid, BadRequest, Forbidden … when it cannot: what there is must be listed
   */
  watch(kind: ObjectKind, query: WatchQuery): AsyncIterable<WatchEvent>;

  /**
   * The object as it is now, read from the server; undefined if the server says that it has none of this name.
   * @throws {ApiError} NotFound when it says no more than that: it does not serve the kind, or was not reached
   */
  read(kind: ObjectKind, name: ObjectName, options?: CallOptions): Promise<LiveObject | undefined>;

  /**
   * The versions in which the server serves a kind, by its discovery; none where that proves that there is no such kind.
   * @throws {ApiError} when it proves nothing: a part of it could not be read, or was not found
   */
  discover(kind: ObjectKind, options?: CallOptions): Promise<readonly string[]>;

  /** @throws {ApiError} AlreadyExists when the name is taken */
  create(kind: ObjectKind, object: Manifest, options: WriteOptions): Promise<LiveObject>;

  /**
   * Server-side apply, forced: `manager` owns what the object states and gives up what it no longer states.
   * `metadata.uid` and `metadata.resourceVersion`, where set, are preconditions.
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
   * Deletion of the object that was looked at. Done too when there is none any more.
   * @returns the object while finalizers hold it; undefined when it is gone
   * @throws {ApiError} Conflict when the name is another object's, or it has changed since; NotFound as of a read
   */
  remove(kind: ObjectKind, name: ObjectName, seen: Seen, options?: RemoveOptions): Promise<LiveObject | undefined>;
}

export interface CallOptions {
  /** Aborts the call, in flight too. */
  readonly signal?: AbortSignal | undefined;
  /** Asked as the first byte is written, at each try; what it throws, the call throws, and nothing is sent. */
  readonly mayLeave?: (() => void) | undefined;
}

export interface WriteOptions extends CallOptions {
  /**
   * What is known under a version of the object: an answer of that version need not be read. News is often faster than the
   * answer to what it tells of. Who states it keeps a cache: of `managedFields` an answer may have no more than a {@link WatchEvent}.
   * Of a dry run every answer is read, and whole: it has the version of what stays. @default - nothing
   */
  readonly known?: ((resourceVersion: string) => LiveObject | undefined) | undefined;
  /** The field manager. */
  readonly manager: string;
  /** @default - the object itself */
  readonly subresource?: 'status';
  /** Ask what would come of it; nothing is stored. @default false */
  readonly dryRun?: boolean;
  /** Refuse fields that the kind does not have, which the server else drops. Of an apply no more is asked. @default false */
  readonly strict?: boolean;
}

export interface ApplyOptions extends WriteOptions {
  /**
   * All of the object as it shall be, of the version that was looked at, where the manager wants other values of the same
   * fields as before. It is written as it is, which costs the server two thirds; the fields then belong to an update of the
   * manager, as those of a create do. If something has changed since, it meets a Conflict. @default - it is applied
   */
  readonly whole?: LiveObject | undefined;
}

export interface RemoveOptions extends CallOptions {
  /** Whether what the object owns goes after it or before it. @default 'Background', after it */
  readonly propagation?: 'Background' | 'Foreground' | undefined;
}

/** Preconditions of a deletion. */
export interface Seen {
  readonly uid: string;
  /** @default - whatever has become of it since */
  readonly resourceVersion?: string;
}

export interface ListQuery extends CallOptions {
  /** @default - all namespaces */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  /** Objects a page. @default - all in one */
  readonly limit?: number;
  /** The token of the page before. */
  readonly continue?: string | undefined;
}

export interface Page {
  readonly items: readonly LiveObject[];
  /** The state that the whole list is of. */
  readonly resourceVersion: string;
  /** Where the next page begins; undefined on the last one. */
  readonly continue?: string | undefined;
  /** How long its JSON was as it came. */
  readonly bytes: number;
}

export interface WatchQuery extends CallOptions {
  /** @default - all namespaces */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  /** @default - with everything there is */
  readonly resourceVersion?: string | undefined;
  /** After which the server ends the watch. */
  readonly timeoutSeconds: number;
  /** True of a version whose object is known: the event need not be read, and may come as KNOWN. @default - of none */
  readonly isKnown?: ((resourceVersion: string) => boolean) | undefined;
}

/**
 * A bookmark says how far the news goes without being news itself. KNOWN tells of a version that the asker knows. SYNCED comes once, and only on a watch that began
 * without a version: what was told before is everything there was.
 */
export type WatchEvent =
  | {
      readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
      /** Of `managedFields` maybe no more than who created or updated; of one that is gone maybe no more than what it was. */
      readonly object: LiveObject;
      /** How long its JSON was as it came. */
      readonly bytes: number;
    }
  | { readonly type: 'BOOKMARK' | 'KNOWN' | 'SYNCED'; readonly resourceVersion: string };

/** @see https://datatracker.ietf.org/doc/html/rfc6902 */
export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

/** Makes a patch fail with Conflict when the object has changed since it was looked at. */
export function overVersion({ metadata: { resourceVersion } }: LiveObject): PatchOperation {
  return { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion };
}

/**
 * Sends a write of one object; resolves to it as it is now, or to undefined when it is gone.
 * @param known what is known under a version of it by then: the watch may be faster than the answer
 */
export type Send = (known: (resourceVersion: string) => LiveObject | undefined) => Promise<LiveObject | undefined>;
