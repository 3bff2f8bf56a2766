import { Stores } from '../../../../operator/runtime/cache/stores.js';
import { Watches } from '../../../../operator/runtime/cache/watches.js';
import type { ControllerContext } from '../../../../operator/runtime/context/reconcile-context.js';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import { Event, type ObjectKind } from '../../../../operator/runtime/kubernetes/kinds.js';
import {
  keyOf,
  type LiveObject,
  type Manifest,
  type ObjectName,
} from '../../../../operator/runtime/kubernetes/object.js';
import { AppliedState } from '../../../../operator/runtime/memory/applied-state.js';
import { LastAcceptedSpecs } from '../../../../operator/runtime/memory/last-accepted-specs.js';
import { ReportedConditions } from '../../../../operator/runtime/memory/reported-conditions.js';
import { WriteGuard } from '../../../../operator/runtime/memory/write-guard.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { EventRecorder } from '../../../../operator/runtime/ports/event-recorder.js';
import { silent } from '../../../../operator/runtime/ports/telemetry.js';
import { reconcile } from '../../../../operator/runtime/reconcile/reconcile.js';
import { MemoryCluster } from '../../../../operator/testing/index.js';
import type { Loose } from '../../../given.js';
import { FakeClock, settled } from '../../fake-clock.js';
import { type WidgetSpec, widget, widgetController, widgetKind } from './widgets.js';

/** A person with kubectl, or another controller. */
export const somebody = { manager: 'somebody' };

/** One controller's workplace on a memory cluster, with caches that follow it. */
export class GivenHouse {
  readonly clock = new FakeClock();
  readonly memory: MemoryCluster;
  readonly stores = new Stores();
  place: ControllerContext;
  readonly #closing = new AbortController();

  constructor({ controller = widgetController(), faults = same, hears = same, memory }: HouseProps = {}) {
    const { clock, stores } = this;
    this.memory = memory ?? new MemoryCluster({ now: () => clock.now() });
    const cluster = faults(this.memory);
    const recorder = new EventRecorder({ cluster, clock, telemetry: silent, instance: 'test' });
    const known = {
      appliedState: new AppliedState(),
      writeGuard: new WriteGuard(clock),
      lastAcceptedSpecs: new LastAcceptedSpecs(),
      reportedConditions: new ReportedConditions(),
    };
    this.place = { controller, cluster, stores, ...known, recorder, telemetry: silent, clock };
    const watched = {
      controllers: [controller],
      cluster: hears(this.memory),
      clock,
      telemetry: silent,
      namespaces: [],
    };
    void new Watches(stores, watched).run(this.#closing.signal);
  }

  /** What a process keeps beside its caches is lost. */
  restart(): void {
    const memory = {
      appliedState: new AppliedState(),
      writeGuard: new WriteGuard(this.clock),
      lastAcceptedSpecs: new LastAcceptedSpecs(),
      reportedConditions: new ReportedConditions(),
    };
    this.place = { ...this.place, ...memory };
  }

  close(): void {
    this.#closing.abort();
  }

  /** Somebody applies an object. */
  async given<T extends Manifest>(kind: ObjectKind, object: T): Promise<LiveObject> {
    const made = await this.memory.apply(kind, object, somebody);
    await settled();
    this.memory.forgetWrites();
    return made;
  }

  /** Somebody applies a Widget of the name `web`. */
  givenWidget(spec?: WidgetSpec, metadata?: object): Promise<LiveObject> {
    return this.given(widgetKind, widget('web', spec, metadata));
  }

  /** Somebody deletes an object. */
  async removed(kind: ObjectKind, name: string): Promise<void> {
    const object = await this.read(kind, name);
    await this.memory.remove(kind, object.metadata, { uid: object.metadata.uid });
    await settled();
    this.memory.forgetWrites();
  }

  /** One pass over the Widget `web`, and then the echoes. @returns what was written: `create ConfigMap team/web-a` */
  async pass(key = 'team/web'): Promise<string[]> {
    this.memory.forgetWrites();
    this.recheck = await reconcile(key, this.place, new AbortController().signal);
    await settled();
    return this.writes;
  }

  /** What the last pass asked for. */
  recheck: number | undefined;

  get writes(): string[] {
    return this.memory.writes
      .filter(({ kind }) => kind !== Event.kind)
      .map(({ verb, kind, key, subresource }) => `${verb} ${kind}${subresource ? `/${subresource}` : ''} ${key}`);
  }

  /** @throws {Error} when there is none */
  async read(kind: ObjectKind, name: string): Promise<Loose> {
    const object = await this.find(kind, { name, namespace: 'team' });
    if (!object) throw new Error(`there is no ${kind.kind} ${name}`);
    return object;
  }

  find(kind: ObjectKind, name: ObjectName): Promise<LiveObject | undefined> {
    return this.memory.read(kind, name);
  }

  widget(): Promise<Loose> {
    return this.read(widgetKind, 'web');
  }

  async names(kind: ObjectKind): Promise<string[]> {
    const { items } = await this.memory.list(kind, {});
    return items.map(({ metadata }) => keyOf(metadata)).sort();
  }

  /** The recorded events, such as `Warning NotOurs: …`. */
  async events(): Promise<string[]> {
    const { items } = await this.memory.list(Event, {});
    return items.map((event) => {
      const { type, reason, note } = event as Loose;
      return `${type} ${reason}: ${note}`;
    });
  }
}

export interface HouseProps {
  readonly controller?: Controller;
  /** Wraps the cluster that the passes work with. */
  readonly faults?: (cluster: Cluster) => Cluster;
  /** Wraps the cluster that the caches follow. */
  readonly hears?: (cluster: Cluster) => Cluster;
  /** Another process's. @default - an empty one */
  readonly memory?: MemoryCluster;
}

const same = (cluster: Cluster) => cluster;

/** A cluster's methods as a record, for a test to replace some of them. */
export function bound(cluster: Cluster): Cluster {
  return {
    list: (...args) => cluster.list(...args),
    watch: (...args) => cluster.watch(...args),
    read: (...args) => cluster.read(...args),
    discover: (...args) => cluster.discover(...args),
    create: (...args) => cluster.create(...args),
    apply: (...args) => cluster.apply(...args),
    patch: (...args) => cluster.patch(...args),
    remove: (...args) => cluster.remove(...args),
  };
}
