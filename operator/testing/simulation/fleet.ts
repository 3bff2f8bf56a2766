import type { Controller } from '../../runtime/controller/controller.js';
import { messageOf } from '../../runtime/kubernetes/errors.js';
import type { Provided } from '../../runtime/ports/external-port.js';
import { silent, type Telemetry } from '../../runtime/ports/telemetry.js';
import { Operator } from '../../runtime/reconcile/operator.js';
import { portsOf } from '../contract/trial/answers.js';
import { SimulatedNetwork } from './environment/network.js';
import { operatorLease } from './environment/operator-lease.js';
import { throughNetwork } from './environment/outside-network.js';
import { epoch, SimulatedProcess } from './environment/process.js';
import type { Scene } from './environment/scene.js';
import type { SimulatedRequest } from './environment/server.js';

/** Milliseconds. Resyncs are rare, so that they do not hide missed changes. */
const resyncPeriod = 10 * 3_600_000;

type CallListener = Pick<Parameters<typeof throughNetwork>[1], 'leaves' | 'reaches'>;

interface Life {
  readonly process: SimulatedProcess;
  readonly stop: AbortController;
  hasEnded: boolean;
}

/** The processes of the operator. A place is a replica, whose processes run one after another. */
export class Fleet {
  readonly #lives: Life[] = [];
  readonly #counts = new Map<string, number>();

  constructor(
    readonly scene: Scene,
    /** Two places share a lease. */
    readonly places: readonly string[],
    readonly controller: Controller,
    readonly leaves: (request: SimulatedRequest, process: SimulatedProcess) => void,
    /** Receives the calls of all processes. */
    readonly calls: {
      readonly leaves: (process: SimulatedProcess) => void;
      readonly reaches: CallListener['reaches'];
    },
  ) {
    for (const place of places) this.#start(place);
    this.#trouble();
  }

  /** Resumes all processes. */
  calm(): void {
    for (const { process } of this.#alive) process.resume();
  }

  /** Sends SIGTERM to all processes. */
  stop(): void {
    for (const { stop, process } of this.#alive) {
      this.scene.history.say(process.identity, 'receives SIGTERM');
      stop.abort();
    }
  }

  /** True if all living processes have exited. */
  get hasEnded(): boolean {
    return this.#alive.every(({ hasEnded }) => hasEnded);
  }

  get #alive(): readonly Life[] {
    return this.#lives.filter(({ process }) => !process.isDead);
  }

  #start(place: string): void {
    const { controller, scene, leaves } = this;
    const count = (this.#counts.get(place) ?? 0) + 1;
    this.#counts.set(place, count);
    const identity = `${place}-${count}`;
    const chance = scene.chance.fork(identity);
    const process = new SimulatedProcess(identity, scene.time, chance);
    const { server, weather, history } = scene;
    history.say(identity, 'starts');
    scene.processes.add(identity);
    const cluster = new SimulatedNetwork({ process, server, weather, history, leaves });
    const isShared = this.places.length > 1;
    const operator = new Operator({
      controllers: [controller],
      ...{ cluster, clock: process.clock, telemetry: this.#telemetry(identity), identity },
      ...{
        maxConcurrentReconciles: chance.pick([1, 2, 4]),
        resyncPeriod,
        reconcileTimeout: chance.pick([3_000, 120_000]),
        gracefulShutdownTimeout: 10_000,
      },
      namespaces: [],
      ports: simulatedPorts(scene, process, {
        leaves: () => this.calls.leaves(process),
        reaches: (port, request) => this.calls.reaches(port, request),
      }),
      ...(isShared && { lease: operatorLease }),
    });
    const life: Life = { process, stop: new AbortController(), hasEnded: false };
    this.#lives.push(life);
    process.mourn(() => {
      history.say(identity, 'dies');
      scene.time.after(scene.chance.spread(100, 10_000), () => this.#start(place));
    });
    void operator.run(life.stop.signal).then(() => {
      life.hasEnded = true;
    });
  }

  /** Crashes or pauses a random process from time to time. */
  #trouble(): void {
    const { scene } = this;
    const { weather, time, chance, history } = scene;
    time.after(weather.untilNext(), () => {
      const [...alive] = this.#alive;
      if (!weather.isCalm && alive.length > 0) {
        const { process } = chance.pick(alive);
        if (weather.comes('crashes')) process.crash();
        else if (weather.comes('pauses') && !process.standsStill) {
          history.say(process.identity, 'pauses');
          process.standStill(weather.pause());
        }
      }
      if (!weather.isCalm) this.#trouble();
    });
  }

  /** Records log messages in the history. */
  #telemetry(identity: string): Telemetry {
    const say = (fields: object, message: string) => {
      const { error } = fields as { readonly error?: unknown };
      this.scene.history.say(identity, error === undefined ? message : `${message}: ${messageOf(error)}`);
    };
    return { ...silent, log: { ...silent.log, info: say, warn: say, error: say } };
  }
}

/** The ports of one process, with delays and faults. */
function simulatedPorts(scene: Scene, process: SimulatedProcess, jury: CallListener) {
  const { controller, given, time, weather, history } = scene;
  const ports = portsOf(controller, given.answers ?? [], () => epoch + time.now);
  const travel = () => new Promise<void>((resolve) => process.later(weather.delay(), resolve));
  return ports.map(({ port, source }): Provided => {
    const outside = scene.outside.find(({ model }) => model.port.name === port.name);
    if (outside) return throughNetwork(outside, { scene, process, ...jury });
    const answer: Provided['source'] = async (question, options) => {
      history.say(process.identity, `polls ${port.name}`);
      await travel();
      if (weather.comes('silent watches')) await new Promise(() => {});
      if (weather.comes('refusals')) throw new Error(`${port.name} is busy`);
      const told = await source(question, options);
      await travel();
      history.say(process.identity, `receives ${port.name}`);
      return told;
    };
    return { port, source: answer };
  });
}
