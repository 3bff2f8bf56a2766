import {
  type Controller,
  controllers,
  etcdCluster,
  type Manifest,
  type ObjectKind,
  Pod,
  provided,
} from '../../operator/index.js';
import type { Loose } from '../given.js';
import { settled } from '../operator/fake-clock.js';
import { GivenOperator } from '../operator/runtime/given/operator.js';
import type { Fault } from './faults.js';
import { collectGarbage, createNodes, reportStatuses } from './kubelet.js';
import type { Surroundings, Systems } from './ports/system.js';
import { RecordedCluster, user } from './recorded-cluster.js';

/** Milliseconds between two looks at the cluster. Shorter than the time-out of any question. */
const pace = 1_000;
/** Looks without a write after which a stage is over. */
const calmAfter = 40;
/** Looks after which a stage is over in any case. */
const mostLooks = 400;

/** All controllers of this package on a memory cluster, with systems outside that answer, and Kubernetes at its best. */
export class World {
  readonly #operator: GivenOperator;
  readonly cluster: RecordedCluster;
  /** Whether nothing outside answers for now. */
  isSilent = false;
  /** Questions and requests, in their order. */
  readonly #asked: (() => Promise<void>)[] = [];

  /** @param systems those that are absent answer nothing */
  constructor(
    systems: Systems,
    /** Whether Pods run. */
    readonly hasKubelet: boolean,
    /** The controllers that run. */
    running: readonly Controller[] = controllers,
  ) {
    this.cluster = new RecordedCluster(() => this.#operator.clock.now());
    const ports = this.#portsOf(systems, running);
    this.#operator = new GivenOperator({ controllers: running, ports, maxConcurrentReconciles: 1 }, this.cluster);
  }

  async start(): Promise<void> {
    await createNodes(this.cluster);
    await this.#operator.start();
  }

  close(): Promise<void> {
    return this.#operator.close();
  }

  /** A user writes an object. */
  async apply(object: Manifest): Promise<void> {
    await this.cluster.apply(kindOf(object), object, { manager: user });
  }

  /** A user deletes an object. */
  async remove(object: Manifest): Promise<void> {
    const kind = kindOf(object);
    const live = await this.cluster.read(kind, object.metadata);
    if (live) await this.cluster.remove(kind, object.metadata, { uid: live.metadata.uid });
  }

  /** Whether there are Pods that run. */
  get hasPods(): boolean {
    return [...this.cluster.peek(Pod).values()].some((pod) => (pod as Loose)['status']?.phase === 'Running');
  }

  /** Something happens to the cluster. */
  async suffer(fault: Fault): Promise<void> {
    await fault(this.cluster, this.#time);
  }

  /** Lets time pass until nothing is written any more. @param least seconds */
  async settle(least = 0): Promise<void> {
    for (let looks = 0, calm = 0; looks < least || (looks < mostLooks && calm < calmAfter); looks++) {
      const { length } = this.cluster.writes;
      await this.#operator.clock.advance(pace);
      await this.#answerAll();
      if (this.hasKubelet) await reportStatuses(this.cluster, this.#time);
      await collectGarbage(this.cluster, known);
      calm = this.cluster.writes.length === length ? calm + 1 : 0;
    }
  }

  /** Answers that come at any time would make two runs differ, because keys and signatures take real time. */
  async #answerAll(): Promise<void> {
    await settled();
    for (let next = this.#asked.shift(); next; next = this.#asked.shift()) {
      await next();
      await settled();
    }
  }

  #inTurn<T>(answer: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#asked.push(async () => {
        try {
          resolve(await answer());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  get #time(): string {
    return new Date(this.#operator.clock.now()).toISOString().replace(/\.\d+/, '');
  }

  #portsOf(systems: Systems, running: readonly Controller[]) {
    const surroundings = (): Surroundings => ({
      now: this.#operator.clock.now(),
      objects: (kind) => [...this.cluster.peek(kind).values()],
    });
    return portsIn(running).map((port) => {
      const source = (question: never) =>
        this.#inTurn(() => {
          const system = this.isSilent ? undefined : systems[port.name];
          if (!system) throw new Error(`nothing answers at ${port.name}`);
          return system.answer(question, surroundings());
        });
      const perform = (request: never) =>
        this.#inTurn(() => {
          if (this.isSilent) throw new Error(`nothing answers at ${port.name}`);
          return systems[port.name]?.perform?.(request, surroundings());
        });
      return provided(port, source, { perform });
    });
  }
}

function portsIn(all: readonly Controller[]) {
  const ports = all.flatMap(({ polls, calls }) => [...Object.values(polls).map(({ port }) => port), ...calls]);
  return [...new Map(ports.map((port) => [port.name, port])).values()];
}

/** The kinds that the controllers reconcile, own or read. */
const known = distinct(
  [...controllers, etcdCluster].flatMap(({ kind, owns, reads }) => [
    kind,
    ...owns,
    ...Object.values(reads).map((read) => read.kind),
  ]),
);

/** @throws {Error} if no controller knows the kind */
export function kindOf({ apiVersion, kind: name }: Manifest): ObjectKind {
  const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
  const kind = known.find((one) => one.kind === name && one.group === group);
  if (kind) return kind;
  throw new Error(`no controller knows the kind ${apiVersion} ${name}`);
}

/** The kinds that a controller of this package reports a status of. */
export const reconciled = distinct(controllers.map(({ kind }) => kind));

/** The kinds, each once. */
function distinct(all: readonly ObjectKind[]): readonly ObjectKind[] {
  return [...new Map(all.map((kind) => [`${kind.group} ${kind.kind}`, kind])).values()];
}
