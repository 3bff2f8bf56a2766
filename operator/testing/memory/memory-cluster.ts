import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { deepFreeze, TooDeepError } from '../../runtime/kubernetes/deep-freeze.js';
import { ApiError } from '../../runtime/kubernetes/errors.js';
import { isRecord } from '../../runtime/kubernetes/json.js';
import { apiVersionOf, groupKindOf, type ObjectKind } from '../../runtime/kubernetes/kinds.js';
import {
  keyOf,
  type LiveMeta,
  type LiveObject,
  type Manifest,
  type ObjectName,
} from '../../runtime/kubernetes/object.js';
import { timestampOf } from '../../runtime/kubernetes/timestamp.js';
import type {
  ApplyOptions,
  CallOptions,
  Cluster,
  ListQuery,
  Page,
  PatchOperation,
  Seen,
  WatchEvent,
  WatchQuery,
  WriteOptions,
} from '../../runtime/ports/cluster.js';
import { patched } from './json-patch.js';
import { applied, contentFrom, type Draft, draftOf, updated } from './server-side-apply.js';
import { handedOut, isSelected, type LoggedChange, sizeOf, WatchLog } from './watch-log.js';

/** One write in the record of a {@link MemoryCluster}. */
export interface Write {
  readonly verb: 'create' | 'apply' | 'patch' | 'remove';
  readonly kind: string;
  /** `namespace/name` */
  readonly key: string;
  readonly subresource?: 'status';
  /** Field manager; absent for a removal. */
  readonly manager?: string;
}

/** Sources of the values of a {@link MemoryCluster} that differ between runs. */
export interface MemorySources {
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: () => number;
  /** Returns a new unique value each time. @default randomUUID */
  readonly uid?: () => string;
}

/**
 * An in-memory API server for tests, which stores, lists, watches, applies and removes objects. Fields come back in the order
 * of their names, in frozen objects, without the zero values that an API server omits. It has no schemas, defaults, admission, garbage collection, RBAC or latency. Tests
 * that need these must add them or use a real control plane.
 */
export class MemoryCluster implements Cluster {
  readonly #objects = new Map<string, Map<string, LiveObject>>();
  readonly #logs = new Map<string, WatchLog>();
  readonly #pages = new Map<string, Page>();
  #writes: Write[] = [];
  #version = 100; // so that older versions exist
  readonly #now: () => number;
  readonly #uid: () => string;

  constructor({ now = Date.now, uid = randomUUID }: MemorySources = {}) {
    this.#now = now;
    this.#uid = uid;
  }

  /** All requested writes since the last {@link forgetWrites}, including failed ones, without dry runs. */
  get writes(): readonly Write[] {
    return this.#writes;
  }

  forgetWrites(): void {
    this.#writes = [];
  }

  /** The objects of a kind, by key. They are not copied, so callers must not change them. */
  peek(kind: ObjectKind): ReadonlyMap<string, LiveObject> {
    return this.#of(kind);
  }

  /** Sends a bookmark with the current version to all watches. */
  bookmark(): void {
    for (const log of this.#logs.values()) log.bookmark(String(this.#version));
  }

  /** Discards the events until now. A watch that has not received them ends with 410. */
  expire(): void {
    this.#version++;
    for (const log of this.#logs.values()) log.expire(String(this.#version));
  }

  /** Ends all open watches without an error. */
  endWatches(): void {
    for (const log of this.#logs.values()) log.end();
  }

  async list(kind: ObjectKind, { limit, continue: token, signal, ...scope }: ListQuery): Promise<Page> {
    signal?.throwIfAborted();
    const items = [...this.#of(kind).values()].filter((object) => isSelected(object, scope));
    const whole = { items, resourceVersion: String(this.#version), bytes: 0 };
    const rest = token === undefined ? whole : this.#pages.get(token);
    if (!rest) throw new ApiError('list: the continue token is too old', { code: 410, reason: 'Expired' });
    if (limit === undefined || rest.items.length <= limit) return page(rest);
    const next = this.#uid();
    this.#pages.set(next, { ...rest, items: rest.items.slice(limit) });
    return page({ ...rest, items: rest.items.slice(0, limit), continue: next });
  }

  async *watch(kind: ObjectKind, query: WatchQuery): AsyncGenerator<WatchEvent> {
    const { resourceVersion = String(this.#version), signal, ...scope } = query;
    signal?.throwIfAborted();
    if (query.resourceVersion === undefined) {
      const items = [...this.#of(kind).values()].filter((object) => isSelected(object, scope)).map(handedOut);
      for (const object of items) yield { type: 'ADDED', object, bytes: sizeOf(object) };
      yield { type: 'SYNCED', resourceVersion };
    }
    yield* this.#logOf(kind).follow({ ...query, resourceVersion });
  }

  async read(kind: ObjectKind, name: ObjectName, { signal }: CallOptions = {}): Promise<LiveObject | undefined> {
    signal?.throwIfAborted();
    return handedOut(this.#of(kind).get(keyOf(name)));
  }

  /** Serves every requested version. */
  async discover({ version }: ObjectKind, { signal }: CallOptions = {}): Promise<readonly string[]> {
    signal?.throwIfAborted();
    return [version];
  }

  async create(kind: ObjectKind, object: Manifest, options: WriteOptions): Promise<LiveObject> {
    this.#note('create', kind, object.metadata, options);
    if (this.#of(kind).has(keyOf(object.metadata))) {
      throw new ApiError(`${describe(kind, object.metadata)} already exists`, { code: 409, reason: 'AlreadyExists' });
    }
    return this.#put(kind, object.metadata, updated(nothing, object, { manager: options.manager }), options);
  }

  async apply(kind: ObjectKind, object: Manifest, { whole, ...options }: ApplyOptions): Promise<LiveObject> {
    this.#note('apply', kind, object.metadata, options);
    const before = this.#of(kind).get(keyOf(object.metadata));
    const { uid, resourceVersion } = object.metadata;
    if (!before && options.subresource) throw notFound(kind, object.metadata);
    refuseUnless({ uid, resourceVersion }, before, describe(kind, object.metadata));
    if (before && whole) {
      refuseUnless({ resourceVersion: whole.metadata.resourceVersion }, before, describe(kind, object.metadata));
      return this.#put(kind, object.metadata, updated(draftOf(before), whole, options), options);
    }
    return this.#put(kind, object.metadata, applied(before ? draftOf(before) : nothing, object, options), options);
  }

  async patch(
    kind: ObjectKind,
    name: ObjectName,
    operations: readonly PatchOperation[],
    options: WriteOptions,
  ): Promise<LiveObject> {
    this.#note('patch', kind, name, options);
    const before = this.#of(kind).get(keyOf(name));
    if (!before) throw notFound(kind, name);
    const after = patched(before, operations);
    refuseUnless({ resourceVersion: after.metadata.resourceVersion }, before, describe(kind, name));
    const draft = updated({ ...draftOf(before), managedFields: draftOf(after).managedFields }, after, options);
    return this.#put(kind, name, draft, options);
  }

  async remove(
    kind: ObjectKind,
    name: ObjectName,
    seen: Seen,
    { signal, mayLeave }: CallOptions = {},
  ): Promise<LiveObject | undefined> {
    signal?.throwIfAborted();
    mayLeave?.();
    this.#writes.push({ verb: 'remove', kind: kind.kind, key: keyOf(name) });
    const before = this.#of(kind).get(keyOf(name));
    if (!before) return undefined;
    refuseUnless(seen, before, describe(kind, name));
    if (!before.metadata.finalizers?.length) {
      this.#store(kind, { version: this.#next(), before });
      return undefined;
    }
    if (before.metadata.deletionTimestamp) return handedOut(before);
    const generation = (before.metadata.generation ?? 1) + 1;
    const metadata = {
      ...before.metadata,
      ...(before.metadata.generation !== undefined && { generation }),
      deletionTimestamp: this.#timestamp(),
      resourceVersion: this.#next(),
    };
    const after = frozen({ ...before, metadata });
    return this.#store(kind, { version: metadata.resourceVersion, before, after });
  }

  #put(kind: ObjectKind, name: ObjectName, draft: Draft, { dryRun }: WriteOptions): LiveObject {
    const before = this.#of(kind).get(keyOf(name));
    const { metadata: stated, ...content } = contentFrom(draft);
    const identity = before ? identityOf(before.metadata) : { ...nameIn(kind, name), ...this.#birth() };
    const managed = draft.managedFields.length > 0 && { managedFields: draft.managedFields };
    const metadata = { ...identity, ...(stated as object), ...managed };
    const same = { apiVersion: apiVersionOf(kind), kind: kind.kind, ...content, metadata };
    if (before && isDeepStrictEqual(same, before)) return handedOut(before);
    const isNewSpec = before && !isDeepStrictEqual(specOf(same), specOf(before));
    const generation = (before?.metadata.generation ?? 1) + (isNewSpec ? 1 : 0);
    const resourceVersion = dryRun ? identity.resourceVersion : this.#next();
    const numbered = withoutGeneration.has(groupKindOf(kind)) ? {} : { generation };
    const after = frozen(sorted({ ...same, metadata: { ...metadata, ...numbered, resourceVersion } }));
    return dryRun ? after : this.#store(kind, { version: resourceVersion, before, after });
  }

  /** Deletes an object that is being deleted when its last finalizer is removed. */
  #store(kind: ObjectKind, { version, before, after }: LoggedChange & { after: LiveObject }): LiveObject;
  #store(kind: ObjectKind, change: LoggedChange): undefined;
  #store(kind: ObjectKind, { version, before, after }: LoggedChange): LiveObject | undefined {
    const stays = after && !(after.metadata.deletionTimestamp && !after.metadata.finalizers?.length);
    const { metadata } = after ?? before ?? {};
    if (stays) this.#of(kind).set(keyOf(after.metadata), after);
    else if (metadata) this.#of(kind).delete(keyOf(metadata));
    this.#logOf(kind).add({ version, before, after: stays ? after : undefined });
    if (stays || !after || !before) return handedOut(after);
    const { resourceVersion } = before.metadata; // it was removed, not changed
    return { ...handedOut(after), metadata: { ...after.metadata, resourceVersion } };
  }

  #note(verb: Write['verb'], kind: ObjectKind, name: ObjectName, options: WriteOptions): void {
    const { manager, subresource, dryRun, signal, mayLeave } = options;
    signal?.throwIfAborted();
    mayLeave?.();
    if (dryRun) return;
    this.#writes.push({ verb, kind: kind.kind, key: keyOf(name), ...(subresource && { subresource }), manager });
  }

  #of(kind: ObjectKind): Map<string, LiveObject> {
    const objects = this.#objects.get(groupKindOf(kind)) ?? new Map<string, LiveObject>();
    this.#objects.set(groupKindOf(kind), objects);
    return objects;
  }

  #logOf(kind: ObjectKind): WatchLog {
    const log = this.#logs.get(groupKindOf(kind)) ?? new WatchLog();
    this.#logs.set(groupKindOf(kind), log);
    return log;
  }

  #next(): string {
    return String(++this.#version);
  }

  #birth() {
    return { uid: this.#uid(), resourceVersion: '', creationTimestamp: this.#timestamp() };
  }

  #timestamp(): string {
    return timestampOf(this.#now());
  }
}

function page(content: Page): Page {
  const bytes = content.items.reduce((sum, item) => sum + sizeOf(item), 0);
  return { ...content, items: content.items.map(handedOut), bytes };
}

const nothing: Draft = { leaves: new Map(), managedFields: [] };

function nameIn({ namespaced }: ObjectKind, { namespace, name }: ObjectName): ObjectName {
  return namespaced ? { name, namespace: namespace ?? 'default' } : { name };
}

/** The object, frozen so that all callers can share it, unless it is nested too deep. */
function frozen<T>(object: T): T {
  try {
    return deepFreeze(object);
  } catch (error) {
    if (error instanceof TooDeepError) return object;
    throw error;
  }
}

/**
 * A copy with the fields in the order of their names, in which an API server returns maps and custom resources, whatever
 * order a client sent. Lists keep their order.
 */
function sorted<T>(value: T): T {
  if (Array.isArray(value)) return value.map(sorted) as T;
  if (!isRecord(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value).sort()) {
    // An assignment would set the prototype instead of the field.
    if (name === '__proto__') Object.defineProperty(copy, name, { ...field, value: sorted(value[name]) });
    else copy[name] = sorted(value[name]);
  }
  return copy as T;
}

const field = { enumerable: true, configurable: true, writable: true };

/** The part of `metadata` that writes do not change. */
function identityOf(metadata: LiveMeta) {
  const { labels, annotations, ownerReferences, finalizers, ...identity } = metadata;
  const { managedFields: _, ...rest } = identity as typeof identity & { managedFields?: unknown };
  return rest;
}

/** Kinds of which the API server counts no generations. */
const withoutGeneration: ReadonlySet<string> = new Set(['Namespace', 'Node']);

/** The part of an object that changes its generation. */
function specOf(object: object): object {
  const { metadata: _, status: __, ...rest } = object as { metadata?: unknown; status?: unknown };
  return rest;
}

function refuseUnless(seen: Partial<Seen>, before: LiveObject | undefined, what: string): void {
  const { uid = before?.metadata.uid, resourceVersion = before?.metadata.resourceVersion } = seen;
  if (uid === before?.metadata.uid && resourceVersion === before?.metadata.resourceVersion) return;
  throw new ApiError(`${what} has another UID or resourceVersion than the request`, {
    code: 409,
    reason: 'Conflict',
  });
}

function notFound(kind: ObjectKind, name: ObjectName): ApiError {
  return new ApiError(`${describe(kind, name)} not found`, { code: 404, reason: 'NotFound', missing: name.name });
}

function describe(kind: ObjectKind, name: ObjectName): string {
  return `${kind.plural} ${keyOf(name)}`;
}
