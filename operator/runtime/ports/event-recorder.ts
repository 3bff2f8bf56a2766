import { hash } from 'node:crypto';
import { isApiError, isFenced, messageOf } from '../kubernetes/errors.js';
import { apiVersionOf, Event, type ObjectKind } from '../kubernetes/kinds.js';
import { keyOf, type LiveObject } from '../kubernetes/object.js';
import { microTime } from '../kubernetes/timestamp.js';
import { truncate } from '../kubernetes/truncate.js';
import { managerOf } from '../kubernetes/well-known-names.js';
import { type Clock, sleep } from './clock.js';
import type { Cluster } from './cluster.js';
import type { Telemetry } from './telemetry.js';

/** Something that happened to a resource, in the past tense. */
export interface ResourceEvent {
  readonly type: 'Normal' | 'Warning';
  /** CamelCase, for machines. */
  readonly reason: string;
  /** For people. */
  readonly note: string;
}

/** The source of an event: a controller and its kind. */
interface Teller {
  readonly name: string;
  readonly kind: ObjectKind;
}

interface Told {
  readonly name: string;
  readonly namespace: string;
  count: number;
  at: number;
}

/** Milliseconds within which a repeated event increases a counter instead of creating a new event. */
const seriesLasts = 6 * 60_000;
/** The number of remembered events, for all resources together. */
const remembered = 4096;
/** The number of events in flight. More would take the connections that reconciles and the lease need. */
const abreast = 4;
/** The number of events that wait for their turn, for all resources together. Further events are dropped. */
const longestQueue = 1_000;
/** The number of events of one resource at once, and the milliseconds until it may have one more. */
const burst = 25;
const refill = 5 * 60_000;

/** Bytes. The API server rejects an event with a longer note. */
const longestNote = 1024;

/** Milliseconds that a process waits for its last events at shutdown. */
const patience = 2_000;

export interface EventRecorderOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  /** Identifies this process among its replicas. */
  readonly instance: string;
}

/** An event to write. */
interface Recorded {
  readonly controller: Teller;
  readonly resource: LiveObject;
  readonly happening: ResourceEvent;
  /** When it happened, in milliseconds since 1970. */
  readonly time: number;
}

/**
 * Records events of resources. Best effort: an event that cannot be written is logged, and nothing waits for it.
 * Repetitions are counted in one event. Events beyond the limits per resource and in the queue are dropped.
 */
export class EventRecorder {
  readonly #told = new Map<string, Told>();
  readonly #budget = new Map<string, { left: number; since: number }>();
  readonly #queue: Recorded[] = [];
  readonly #underWay = new Set<Promise<void>>();
  #settled = () => {};

  constructor(readonly options: EventRecorderOptions) {}

  record(controller: Teller, resource: LiveObject, told: ResourceEvent): void {
    const { telemetry, clock } = this.options;
    const happening = { ...told, note: truncate(told.note, longestNote) }; // only this part of it is kept
    if (this.#queue.length >= longestQueue) {
      telemetry.log.warn({ controller: controller.name, event: happening.reason }, 'Dropped event, too many in flight');
      telemetry.eventDropped({ controller: controller.name, why: 'busy' });
      return;
    }
    const { uid } = resource.metadata;
    if (!this.#repeated(idOf(uid, happening)) && !this.#spend(uid)) {
      telemetry.eventDropped({ controller: controller.name, why: 'limit' });
      return;
    }
    this.#queue.push({ controller, resource, happening, time: clock.now() });
    this.#pump();
  }

  /** For a resource that is gone. */
  forget(uid: string): void {
    if (!this.#budget.delete(uid)) return;
    for (const id of this.#told.keys()) if (id.startsWith(`${uid} `)) this.#told.delete(id);
  }

  /**
   * Resolves when the recorded events are written or lost, and soon in any case: an event must not delay the shutdown.
   */
  async settle(): Promise<void> {
    const tooLong = new AbortController();
    const settled = new Promise<void>((resolve) => {
      this.#settled = resolve;
      this.#pump();
    });
    await Promise.race([settled.then(() => tooLong.abort()), sleep(this.options.clock, patience, tooLong.signal)]);
    this.#queue.length = 0; // no write is allowed any more
  }

  #pump(): void {
    while (this.#underWay.size < abreast) {
      const next = this.#queue.shift();
      if (!next) break;
      const sent = this.#send(next).catch((error: unknown) => this.#failed(next, error));
      this.#underWay.add(sent);
      void sent.finally(() => {
        this.#underWay.delete(sent);
        this.#pump();
      });
    }
    if (this.#underWay.size === 0) this.#settled();
  }

  #failed({ controller, resource, happening }: Recorded, error: unknown): void {
    const { telemetry } = this.options;
    if (isFenced(error)) this.#queue.length = 0; // the term is over
    this.#told.delete(idOf(resource.metadata.uid, happening));
    telemetry.eventDropped({ controller: controller.name, why: 'error' });
    telemetry.log.warn(
      { controller: controller.name, event: happening.reason, error: messageOf(error) },
      'Failed to record event',
    );
  }

  /** The event that a repetition is counted in. */
  #repeated(id: string): Told | undefined {
    const before = this.#told.get(id);
    return before && this.options.clock.monotonic() - before.at < seriesLasts ? before : undefined;
  }

  async #send(recorded: Recorded): Promise<void> {
    const { resource, happening } = recorded;
    const before = this.#repeated(idOf(resource.metadata.uid, happening));
    if (!before) return this.#create(recorded);
    try {
      await this.#count(recorded, before);
    } catch (error) {
      // The API server deletes events after an hour, or after its configured TTL.
      if (!isApiError(error, 'NotFound')) throw error;
      await this.#create(recorded);
    }
  }

  async #create({ controller, resource: { metadata }, happening, time }: Recorded): Promise<void> {
    const { type, reason, note } = happening;
    const { name: source, kind } = controller;
    const id = idOf(metadata.uid, happening);
    const { cluster, clock, telemetry, instance } = this.options;
    const at = clock.monotonic();
    const namespace = metadata.namespace ?? 'default';
    const name = `${metadata.name.slice(0, 200).replace(/[-.]+$/, '')}.${hash('sha256', `${id} ${time}`, 'hex').slice(0, 16)}`;
    this.#remember(id, { name, namespace, count: 1, at });
    telemetry.wrote({ controller: source, kind: Event.kind, verb: 'event' });
    const regarding = {
      apiVersion: apiVersionOf(kind),
      kind: kind.kind,
      name: metadata.name,
      ...(metadata.namespace && { namespace: metadata.namespace }),
      uid: metadata.uid,
    };
    const event = {
      apiVersion: apiVersionOf(Event),
      kind: Event.kind,
      metadata: { name, namespace },
      eventTime: microTime(time),
      reportingController: `reconstruct.dev/${source}`,
      reportingInstance: instance.slice(0, 128),
      action: 'Reconcile',
      ...{ type, reason, note, regarding },
    };
    await cluster.create(Event, event, { manager: managerOf(source) });
  }

  async #count({ controller, time }: Recorded, told: Told): Promise<void> {
    const { cluster, clock, telemetry } = this.options;
    told.count++;
    told.at = clock.monotonic();
    telemetry.wrote({ controller: controller.name, kind: Event.kind, verb: 'event' });
    const series = { count: told.count, lastObservedTime: microTime(time) };
    const manager = managerOf(controller.name);
    await cluster.patch(Event, told, [{ op: 'add', path: '/series', value: series }], { manager });
  }

  #remember(id: string, told: Told): void {
    this.#told.delete(id);
    this.#told.set(id, told);
    const [oldest] = this.#told.keys();
    if (this.#told.size > remembered && oldest !== undefined) this.#told.delete(oldest);
  }

  /** A token bucket, as the spam filter of client-go's event correlator. */
  #spend(uid: string): boolean {
    const now = this.options.clock.monotonic();
    const known = this.#budget.get(uid) ?? { left: burst, since: now };
    const left = Math.min(burst, known.left + (now - known.since) / refill);
    const isAllowed = left >= 1;
    this.#budget.delete(uid);
    this.#budget.set(uid, { left: isAllowed ? left - 1 : left, since: now });
    const [oldest] = this.#budget.keys();
    if (this.#budget.size > remembered && oldest !== undefined) this.#budget.delete(oldest);
    return isAllowed;
  }
}

function idOf(uid: string, { type, reason, note }: ResourceEvent): string {
  return `${uid} ${type} ${reason} ${note}`;
}

/** Records an event, and logs it if it is a warning. */
export function recordEvent(
  happening: ResourceEvent,
  {
    controller,
    recorder,
    telemetry,
  }: { readonly controller: Teller; readonly recorder: EventRecorder; readonly telemetry: Telemetry },
  owner: LiveObject,
): void {
  recorder.record(controller, owner, happening);
  const fields = { controller: controller.name, key: keyOf(owner.metadata), reason: happening.reason };
  if (happening.type === 'Warning') telemetry.log.warn({ ...fields, note: happening.note }, 'Recorded warning event');
}
