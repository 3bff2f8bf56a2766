import type { CustomResource } from '../../operator/runtime/controller/custom-resource.js';
import { isApiError } from '../../operator/runtime/kubernetes/errors.js';
import { Event, groupKindOf, type ObjectKind } from '../../operator/runtime/kubernetes/kinds.js';
import { keyOf, type LiveObject, type Manifest, type ObjectName } from '../../operator/runtime/kubernetes/object.js';
import { placeOf } from '../../operator/runtime/ownership/inventory.js';
import type { Cluster, PatchOperation, WriteOptions } from '../../operator/runtime/ports/cluster.js';
import { documentOf, leavesOf, separator } from '../../operator/testing/memory/field-leaves.js';
import { type ManagedFieldsEntry, pathsIn } from '../../operator/testing/memory/managed-fields.js';

/** A change of one object in a reconcile. */
export interface Change {
  readonly action: 'create' | 'update' | 'delete';
  readonly kind: ObjectKind;
  readonly before?: LiveObject | undefined;
  readonly after?: LiveObject | undefined;
}

/**
 * A cluster that changes nothing. It sends each write to the API server as a dry run and records the result.
 *
 * Guarantee: every write that is sent is a dry run. Deletions, events and writes to a resource that does not exist yet
 * are not sent.
 */
export class DryRun {
  readonly #cluster: Cluster;
  /** The resource, if it does not exist on the API server. */
  readonly #planned: CustomResource | undefined;
  readonly #seen = new Map<string, LiveObject>();
  /** The managed fields of an object after the handover and before the apply. */
  readonly #entries = new Map<string, Entries>();
  readonly changes: Change[] = [];
  /** The status that the reconcile wrote. */
  status: object | undefined;

  constructor(cluster: Cluster, planned?: CustomResource) {
    this.#cluster = cluster;
    this.#planned = planned;
  }

  /** Records an existing object that was not listed or read here: the resource itself. */
  saw(kind: ObjectKind, object: LiveObject): void {
    this.#seen.set(placeOf({ kind, key: keyOf(object.metadata) }), object);
  }

  /** The cluster for the reconcile. */
  get cluster(): Cluster {
    const asked = this.#cluster;
    return {
      list: async (kind, query) => {
        const page = await asked.list(kind, query);
        for (const item of page.items) this.saw(kind, item);
        return page;
      },
      watch: (kind, query) => asked.watch(kind, query),
      read: async (kind, name, options) => {
        const object = await asked.read(kind, name, options);
        if (object) this.saw(kind, object);
        return object;
      },
      discover: (kind, options) => asked.discover(kind, options),
      create: (kind, object, options) => this.#create(kind, object, options),
      apply: (kind, object, options) => this.#apply(kind, object, options),
      patch: (kind, name, patch, options) => this.#patch(kind, name, patch, options),
      remove: async (kind, name) => {
        this.changes.push({ action: 'delete', kind, before: this.#seen.get(placeOf({ kind, key: keyOf(name) })) });
        return undefined;
      },
    };
  }

  async #create(kind: ObjectKind, object: Manifest, options: WriteOptions): Promise<LiveObject> {
    if (groupKindOf(kind) === groupKindOf(Event)) return liveOf(object);
    const after = await this.#cluster.create(kind, object, { ...options, dryRun: true }).catch((error: unknown) => {
      if (isApiError(error, 'NotFound') && this.#makesNamespaceOf(object)) return object;
      throw error;
    });
    this.changes.push({ action: 'create', kind, after: liveOf(after) });
    return liveOf(after);
  }

  async #apply(kind: ObjectKind, object: Manifest, options: WriteOptions): Promise<LiveObject> {
    const place = placeOf({ kind, key: keyOf(object.metadata) });
    const before = this.#seen.get(place);
    if (options.subresource) {
      this.status = (object as CustomResource).status;
      return before ?? liveOf({ ...this.#planned, ...object });
    }
    if (object.metadata.uid !== undefined && object.metadata.uid === this.#planned?.metadata.uid) {
      return liveOf({ ...this.#planned, ...object });
    }
    const answer = await this.#cluster.apply(kind, object, { ...options, dryRun: true });
    const entries = this.#entries.get(place);
    const given = entries && withoutGivenUp(answer, { entries, wish: object, manager: options.manager });
    const after = liveOf(given ? await this.#completed(kind, given, { answer, options }) : answer);
    this.#applied(place, { action: before ? 'update' : 'create', kind, before, after });
    return after;
  }

  /** Merges two writes of one object, such as a finalizer and a label, into one change with the final state. */
  #applied(place: string, change: Change & { readonly after: LiveObject }): void {
    const isIt = ({ kind, after }: Change) => after && placeOf({ kind, key: keyOf(after.metadata) }) === place;
    const index = this.changes.findIndex(isIt);
    if (index < 0) this.changes.push(change);
    else this.changes[index] = { ...(this.changes[index] as Change), after: change.after };
  }

  /** The object after the removal of fields, completed by the API server: fields get their default, or are required. */
  #completed(
    kind: ObjectKind,
    given: LiveObject,
    { answer, options: { manager, signal } }: { readonly answer: LiveObject; readonly options: WriteOptions },
  ): Promise<LiveObject> {
    const { metadata, ...content } = given;
    const { labels, annotations } = metadata;
    const whole = Object.entries({ ...content, 'metadata/labels': labels, 'metadata/annotations': annotations });
    const gone = Object.keys(answer).filter((field) => !Object.hasOwn(given, field));
    const operations: PatchOperation[] = [
      ...whole.map(([path, value]) => ({ op: 'add' as const, path: `/${path}`, value: value ?? {} })),
      ...gone.map((field) => ({ op: 'remove' as const, path: `/${field}` })),
    ];
    return this.#cluster.patch(kind, metadata, operations, { manager, signal, dryRun: true });
  }

  async #patch(
    kind: ObjectKind,
    name: ObjectName,
    patch: readonly PatchOperation[],
    options: WriteOptions,
  ): Promise<LiveObject> {
    const place = placeOf({ kind, key: keyOf(name) });
    const handed = patch.find(({ path }) => path === '/metadata/managedFields');
    if (handed && 'value' in handed) this.#entries.set(place, handed.value as Entries);
    const before = this.#seen.get(place);
    if (before && (handed || options.subresource)) return before;
    return liveOf({ apiVersion: kind.version, kind: kind.kind, metadata: name });
  }

  #makesNamespaceOf({ metadata }: Manifest): boolean {
    return this.changes.some(
      ({ action, kind, after }) =>
        action === 'create' && groupKindOf(kind) === 'Namespace' && after?.metadata.name === metadata.namespace,
    );
  }
}

/** Adds the identity that the response to a dry run of a creation lacks. */
function liveOf(object: Manifest): LiveObject {
  const { uid = '', resourceVersion } = object.metadata;
  return { ...object, metadata: { ...object.metadata, uid, resourceVersion: resourceVersion || '0' } };
}

/** The managed fields of an object. */
type Entries = readonly ManagedFieldsEntry[];

/**
 * The response to a dry run of an apply, without the fields that a real apply would remove. The runtime first hands
 * the fields of a create over to its apply manager, which a single dry run cannot include.
 */
function withoutGivenUp(
  answer: LiveObject,
  { entries, wish, manager }: { readonly entries: Entries; readonly wish: Manifest; readonly manager: string },
): LiveObject {
  const isOurs = (entry: ManagedFieldsEntry) => entry.manager === manager && !entry.subresource;
  const pathsOf = (some: Entries) => some.flatMap(({ fieldsV1 }) => pathsIn(fieldsV1));
  const kept = new Set([...pathsOf(entries.filter((entry) => !isOurs(entry))), ...leavesOf({ ...wish }).keys()]);
  const gone = pathsOf(entries.filter(isOurs)).filter((path) => !isKept(path, kept));
  const leaves = [...leavesOf({ ...answer })].filter(([leaf]) => !gone.some((path) => isWithin(leaf, path)));
  return documentOf(new Map(leaves)) as object as LiveObject;
}

function isKept(path: string, kept: ReadonlySet<string>): boolean {
  return kept.has(path) || [...kept].some((one) => isWithin(one, path));
}

function isWithin(leaf: string, path: string): boolean {
  return leaf === path || leaf.startsWith(`${path}${separator}`);
}
