import { isApiError, isWithout } from '../runtime/kubernetes/errors.js';
import { apiVersionOf, type ObjectKind } from '../runtime/kubernetes/kinds.js';
import type { LiveObject, Manifest, ObjectName } from '../runtime/kubernetes/object.js';
import { type Clock, systemClock } from '../runtime/ports/clock.js';
import type {
  ApplyOptions,
  CallOptions,
  Cluster,
  ListQuery,
  Page,
  PatchOperation,
  RemoveOptions,
  Seen,
  WatchEvent,
  WatchQuery,
  WriteOptions,
} from '../runtime/ports/cluster.js';
import { listIn, objectIn } from './answers.js';
import { servedVersions } from './discovery.js';
import { listLimit, objectLimit } from './http/answer-limits.js';
import { Lines } from './http/lines.js';
import { failureFrom, type Status } from './http/status.js';
import type { Request, Transport } from './http/transport.js';
import { deletedObject, parseWithoutManagedFields, resourceVersionIn } from './partial-json.js';
import { pathOf, queryOf } from './paths.js';
import { retrying } from './retry.js';

/**
 * Asks a watch to start with the complete list, as it is when the request arrives.
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/#streaming-lists
 */
const withEverything = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
/** The annotation of the bookmark after the initial list. */
const initialEventsEnd = 'k8s.io/initial-events-end';
/** The start of an event with an object. */
const toldOf = /^\{"type":"(?:ADDED|MODIFIED)"/;

/** A real API server. Objects are plain JSON in both directions, and nothing is dropped. */
export class KubernetesCluster implements Cluster {
  constructor(
    readonly transport: Transport,
    readonly clock: Clock = systemClock,
  ) {}

  async list(kind: ObjectKind, { namespace, labelSelector, limit, continue: token, signal }: ListQuery): Promise<Page> {
    const path = pathOf(kind, { namespace }) + queryOf({ labelSelector, limit, continue: token });
    const most = limit === 1 ? objectLimit : listLimit;
    const send = async () => {
      const { value, bytes } = await this.transport.measured({ method: 'GET', path, signal, most });
      return { list: listIn(value, `GET ${path}`), bytes };
    };
    const { list, bytes } = await retrying(send, { idempotent: true, clock: this.clock, signal });
    // Items of a list of a built-in kind have no apiVersion and kind.
    const items = (list.items ?? []).map((item) => ({ apiVersion: apiVersionOf(kind), kind: kind.kind, ...item }));
    const { resourceVersion, continue: next } = list.metadata;
    return { items, resourceVersion, continue: next || undefined, bytes };
  }

  async *watch(kind: ObjectKind, query: WatchQuery): AsyncGenerator<WatchEvent> {
    const { namespace, labelSelector, resourceVersion, timeoutSeconds, isKnown, signal } = query;
    const beginning = resourceVersion === undefined ? withEverything : { resourceVersion };
    const asked = { watch: true, allowWatchBookmarks: true, labelSelector, ...beginning, timeoutSeconds };
    const path = pathOf(kind, { namespace }) + queryOf(asked);
    const lines = new Lines(`GET ${path}`);
    for await (const pieces of await this.transport.stream({ method: 'GET', path, signal }))
      for (const line of lines.endedBy(pieces)) {
        const event = eventIn(line, kind, isKnown);
        if (event) yield event;
      }
  }

  async read(
    kind: ObjectKind,
    { namespace, name }: ObjectName,
    { signal }: CallOptions = {},
  ): Promise<LiveObject | undefined> {
    const path = pathOf(kind, { namespace, name });
    const send = () => this.#object({ method: 'GET', path, signal });
    try {
      return await retrying(send, { idempotent: true, clock: this.clock, signal });
    } catch (error) {
      if (isWithout(error, name)) return undefined;
      throw error;
    }
  }

  discover(kind: ObjectKind, { signal }: CallOptions = {}): Promise<readonly string[]> {
    return servedVersions(kind, (path) => {
      const send = () => this.transport.json({ method: 'GET', path, signal });
      return retrying(send, { idempotent: true, clock: this.clock, signal });
    });
  }

  async create(
    kind: ObjectKind,
    object: Manifest,
    { manager, dryRun, strict, signal, mayLeave, known }: WriteOptions,
  ): Promise<LiveObject> {
    const path = pathOf(kind, { namespace: object.metadata.namespace }) + writeQuery({ manager, dryRun, strict });
    const send = () =>
      this.#object({ method: 'POST', path, body: object, signal, mayLeave, read: readerTo(dryRun, known) });
    return retrying(send, { idempotent: false, clock: this.clock, signal });
  }

  async apply(kind: ObjectKind, object: Manifest, { whole, ...options }: ApplyOptions): Promise<LiveObject> {
    if (whole) {
      try {
        return await this.#update(kind, whole, options);
      } catch (error) {
        if (!isApiError(error) || error.reason === 'Conflict' || error.code < 400 || error.code >= 500) throw error;
        // An update is not possible. The apply below succeeds or reports the cause.
      }
    }
    const { manager, subresource, dryRun, signal, mayLeave, known } = options;
    const { name, namespace } = object.metadata;
    const path =
      pathOf(kind, { namespace, name, ...(subresource && { subresource }) }) +
      writeQuery({ manager, dryRun, force: true });
    const contentType = 'application/apply-patch+yaml'; // JSON is a subset of YAML
    const asked = {
      method: 'PATCH',
      path,
      body: object,
      contentType,
      signal,
      mayLeave,
      read: readerTo(dryRun, known),
    } as const;
    const send = () => this.#object(asked);
    return retrying(send, { idempotent: true, clock: this.clock, signal });
  }

  /** Idempotent, because it names a version: a repetition meets a conflict. */
  async #update(
    kind: ObjectKind,
    object: LiveObject,
    { manager, dryRun, signal, mayLeave, known }: WriteOptions,
  ): Promise<LiveObject> {
    const { name, namespace } = object.metadata;
    const path = pathOf(kind, { namespace, name }) + writeQuery({ manager, dryRun });
    const send = () =>
      this.#object({ method: 'PUT', path, body: object, signal, mayLeave, read: readerTo(dryRun, known) });
    return retrying(send, { idempotent: true, clock: this.clock, signal });
  }

  async patch(
    kind: ObjectKind,
    { namespace, name }: ObjectName,
    operations: readonly PatchOperation[],
    { manager, subresource, dryRun, strict, signal, mayLeave }: WriteOptions,
  ): Promise<LiveObject> {
    const at = { namespace, name, ...(subresource && { subresource }) };
    const path = pathOf(kind, at) + writeQuery({ manager, dryRun, strict });
    const contentType = 'application/json-patch+json';
    const send = () => this.#object({ method: 'PATCH', path, body: operations, contentType, signal, mayLeave });
    return retrying(send, { idempotent: false, clock: this.clock, signal });
  }

  async #object(request: Request): Promise<LiveObject> {
    return objectIn(await this.transport.json(request), `${request.method} ${request.path}`);
  }

  async remove(
    kind: ObjectKind,
    { namespace, name }: ObjectName,
    seen: Seen,
    { propagation = 'Background', signal, mayLeave }: RemoveOptions = {},
  ): Promise<LiveObject | undefined> {
    const path = pathOf(kind, { namespace, name });
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: seen, propagationPolicy: propagation };
    const send = () => this.transport.json({ method: 'DELETE', path, body, signal, mayLeave });
    try {
      const answer = (await retrying(send, { idempotent: true, clock: this.clock, signal })) as Partial<LiveObject>;
      return answer.metadata?.deletionTimestamp ? (answer as LiveObject) : undefined;
    } catch (error) {
      if (isWithout(error, name)) return undefined;
      throw error;
    }
  }
}

/** The event of a watch line. Undefined for a type that this version of the operator does not know. */
function eventIn(line: string, { plural }: ObjectKind, isKnown: WatchQuery['isKnown']): WatchEvent | undefined {
  const version = isKnown && toldOf.test(line) ? resourceVersionIn(line) : undefined;
  if (version && isKnown?.(version)) return { type: 'KNOWN', resourceVersion: version };
  const gone = deletedObject(line);
  if (gone) return { type: 'DELETED', object: gone, bytes: line.length };
  const { type, object } = parseWithoutManagedFields<{ type: string; object: LiveObject }>(
    line,
    (event) => event.object,
  );
  if (type === 'ERROR') {
    const status: Status = object as object;
    throw failureFrom(status, { what: `watch of ${plural}`, code: status.code ?? 500 });
  }
  if (type === 'BOOKMARK') {
    const { annotations, resourceVersion } = object.metadata;
    return { type: annotations?.[initialEventsEnd] === 'true' ? 'SYNCED' : 'BOOKMARK', resourceVersion };
  }
  if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED') return undefined;
  return { type, object, bytes: line.length };
}

/** How the response to a write is parsed. The response to a dry run has the version of the stored object. */
function readerTo(dryRun: boolean | undefined, known: WriteOptions['known']): Request['read'] {
  if (dryRun || !known) return undefined;
  return (json) => {
    const version = resourceVersionIn(json);
    return (version && known(version)) || parseWithoutManagedFields<LiveObject>(json, (object) => object);
  };
}

function writeQuery({
  manager,
  dryRun,
  strict,
  force,
}: Pick<WriteOptions, 'manager' | 'dryRun' | 'strict'> & { force?: boolean }) {
  const fieldValidation = strict ? 'Strict' : undefined;
  return queryOf({ fieldManager: manager, force, dryRun: dryRun ? 'All' : undefined, fieldValidation });
}
