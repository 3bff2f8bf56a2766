import { messageOf } from '../../../runtime/kubernetes/errors.js';
import type { ObjectKind } from '../../../runtime/kubernetes/kinds.js';
import { keyOf, type LiveObject, type Manifest, type ObjectName } from '../../../runtime/kubernetes/object.js';
import type { PatchOperation } from '../../../runtime/ports/cluster.js';
import { MemoryCluster, type Write } from '../../memory/memory-cluster.js';
import type { History } from './history.js';
import type { SimulatedProcess } from './process.js';

/** A request to the API server. */
export interface SimulatedRequest {
  readonly verb: 'list' | 'watch' | 'read' | 'discover' | Write['verb'];
  readonly kind: ObjectKind;
  readonly name?: ObjectName;
  readonly subresource?: 'status' | undefined;
}

/** A request that changed an object, with the object before and after. */
export interface Effect {
  readonly request: SimulatedRequest;
  /** The process of the operator; undefined for all other clients. */
  readonly by: SimulatedProcess | undefined;
  readonly before: LiveObject | undefined;
  readonly after: LiveObject | undefined;
}

/** The field manager of all clients except the operator. */
const somebody = { manager: 'somebody' };

/** An in-memory API server that reports the effect of each request. */
export class SimulatedServer {
  readonly memory: MemoryCluster;
  readonly #listeners: ((effect: Effect) => void)[] = [];

  constructor(
    /** Milliseconds since 1970. */
    now: () => number,
    readonly history: History,
  ) {
    let born = 0;
    this.memory = new MemoryCluster({ now, uid: () => `uid-${++born}` });
  }

  listen(listener: (effect: Effect) => void): void {
    this.#listeners.push(listener);
  }

  find(kind: ObjectKind, name: ObjectName): LiveObject | undefined {
    return this.memory.peek(kind).get(keyOf(name));
  }

  all(kind: ObjectKind): readonly LiveObject[] {
    return [...this.memory.peek(kind).values()];
  }

  /** Carries out a request. Its changes are complete when this returns, although the response comes later. */
  execute<T>(request: SimulatedRequest, by: SimulatedProcess | undefined, send: () => Promise<T>): Promise<T> {
    const { kind, name } = request;
    const before = name && this.find(kind, name);
    const answer = send();
    const after = name && this.find(kind, name);
    if (before !== after) for (const listener of this.#listeners) listener({ request, by, before, after });
    return answer;
  }

  /** Applies an object as another client. Other fields of the object stay unchanged. */
  apply(kind: ObjectKind, object: Manifest, manager = somebody.manager): void {
    const send = () => this.memory.apply(kind, object, { manager });
    this.#somebody({ verb: 'apply', kind, name: object.metadata }, send);
  }

  create(kind: ObjectKind, object: Manifest): void {
    this.#somebody({ verb: 'create', kind, name: object.metadata }, () => this.memory.create(kind, object, somebody));
  }

  patch(kind: ObjectKind, name: ObjectName, patch: readonly PatchOperation[], subresource?: 'status'): void {
    const send = () => this.memory.patch(kind, name, patch, { ...somebody, ...(subresource && { subresource }) });
    this.#somebody({ verb: 'patch', kind, name, subresource }, send);
  }

  remove(kind: ObjectKind, { metadata }: LiveObject): void {
    const send = () => this.memory.remove(kind, metadata, { uid: metadata.uid });
    this.#somebody({ verb: 'remove', kind, name: metadata }, send);
  }

  /** Carries out a request of another client at once, and records a failure in the history. */
  #somebody(request: SimulatedRequest, send: () => Promise<unknown>): void {
    this.execute(request, undefined, send).catch((error: unknown) => {
      this.history.say('user', `could not ${described(request)}: ${messageOf(error)}`);
    });
  }
}

/** `apply Widget/status team/web` */
export function described({ verb, kind, name, subresource }: SimulatedRequest): string {
  return `${verb} ${kind.kind}${subresource ? `/${subresource}` : ''}${name ? ` ${keyOf(name)}` : ''}`;
}
