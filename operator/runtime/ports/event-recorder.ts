import { hash } from 'node:crypto';
import { isApiError, messageOf } from '../kubernetes/errors.js';
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
/** The number of events of one resource in {@link window} milliseconds. Further events are dropped. */
const burst = 25;
const window = 5 * 60_000;

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

/**
 * Records events of resources. Best effort: an event that cannot be written is logged, and nothing waits for it.
 * Repetitions are counted in one event. Events beyond the limits per resource and in flight are dropped.
 */
export class EventRecorder {
  readonly #told = new Map<string, Told>();
  readonly #budget = new Map<string, { left: number; since: number }>();
  readonly #underWay = new Set<Promise<void>>();

  constructor(readonly options: EventRecorderOptions) {}

  record(controller: Teller, resource: LiveObject, told: ResourceEvent): void {
    const { telemetry, clock } = this.options;
    const happening = { ...told, note: truncate(told.note, longestNote) }; // only this part of it is kept
    const { uid } = resource.metadata;
    const id = idOf(uid, happening);
    const before = this.#told.get(id);
    const repeated = before !== undefined && clock.monotonic() - before.at < seriesLasts;
    if (this.#underWay.size >= abreast) {
      telemetry.log.warn({ controller: controller.name, event: happening.reason }, 'Dropped event, too many in flight');
      telemetry.eventDropped({ controller: controller.name, why: 'busy' });
      return;
    }
    if (!repeated && !this.#spend(uid)) {
      telemetry.eventDropped({ controller: controller.name, why: 'limit' });
      return;
    }
    const sent = this.#send(controller, resource, happening, repeated ? before : undefined).catch((error: unknown) => {
      this.#told.delete(id);
      telemetry.eventDropped({ controller: controller.name, why: 'error' });
      telemetry.log.warn(
        { controller: controller.name, event: happening.reason, error: messageOf(error) },
        'Failed to record event',
      );
    });
    this.#underWay.add(sent);
    void sent.finally(() => this.#underWay.delete(sent));
  }

  /**
   * Resolves when the recorded events are written or lost, and soon in any case: an event must not delay the shutdown.
   */
  async settle(): Promise<void> {
    const tooLong = new AbortController();
    const told = Promise.all(this.#underWay).then(() => tooLong.abort());
    await Promise.race([told, sleep(this.options.clock, patience, tooLong.signal)]);
  }

  async #send(
    controller: Teller,
    resource: LiveObject,
    happening: ResourceEvent,
    before: Told | undefined,
  ): Promise<void> {
    if (!before) return this.#create(controller, resource, happening);
    try {
      await this.#count(controller.name, before);
    } catch (error) {
      // The API server deletes events after an hour, or after its configured TTL.
      if (!isApiError(error, 'NotFound')) throw error;
      await this.#create(controller, resource, happening);
    }
  }

  async #create(
    { name: controller, kind }: Teller,
    { metadata }: LiveObject,
    { type, reason, note }: ResourceEvent,
  ): Promise<void> {
    const id = idOf(metadata.uid, { type, reason, note });
    const { cluster, clock, telemetry, instance } = this.options;
    const at = clock.monotonic();
    const namespace = metadata.namespace ?? 'default';
    const name = `${metadata.name.slice(0, 200).replace(/[-.]+$/, '')}.${hash('sha256', `${id} ${clock.now()}`, 'hex').slice(0, 16)}`;
    this.#remember(id, { name, namespace, count: 1, at });
    telemetry.wrote({ controller, kind: Event.kind, verb: 'event' });
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
      eventTime: microTime(clock.now()),
      reportingController: `reconstruct.dev/${controller}`,
      reportingInstance: instance.slice(0, 128),
      action: 'Reconcile',
      ...{ type, reason, note, regarding },
    };
    await cluster.create(Event, event, { manager: managerOf(controller) });
  }

  async #count(controller: string, told: Told): Promise<void> {
    const { cluster, clock, telemetry } = this.options;
    told.count++;
    told.at = clock.monotonic();
    telemetry.wrote({ controller, kind: Event.kind, verb: 'event' });
    const series = { count: told.count, lastObservedTime: microTime(clock.now()) };
    const manager = managerOf(controller);
    await cluster.patch(Event, told, [{ op: 'add', path: '/series', value: series }], { manager });
  }

  #remember(id: string, told: Told): void {
    this.#told.delete(id);
    this.#told.set(id, told);
    const [oldest] = this.#told.keys();
    if (this.#told.size > remembered && oldest !== undefined) this.#told.delete(oldest);
  }

  #spend(uid: string): boolean {
    const now = this.options.clock.monotonic();
    const known = this.#budget.get(uid);
    const budget = known && now - known.since < window ? known : { left: burst, since: now };
    this.#budget.delete(uid);
    this.#budget.set(uid, budget);
    const [oldest] = this.#budget.keys();
    if (this.#budget.size > remembered && oldest !== undefined) this.#budget.delete(oldest);
    return budget.left-- > 0;
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
