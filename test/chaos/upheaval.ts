import { setTimeout as pause } from 'node:timers/promises';
import type { ControlPlane } from '../../operator/testing/index.js';
import type { Chance } from './chance.js';
import { leaseDuration } from './checks/lease-terms.js';
import type { Replica } from './replica.js';

const blows = [
  ...['kill', 'pause', 'terminate', 'restart the API server', 'take the network away'],
  ...['cut watches', 'freeze watches'],
] as const;
type Blow = (typeof blows)[number];

/** Ends, stops and cuts off the replicas and the API server, one after the other, by chance. */
export class Upheaval {
  readonly counts: Record<Blow, number> = {
    ...{ kill: 0, pause: 0, terminate: 0, 'restart the API server': 0, 'take the network away': 0 },
    ...{ 'cut watches': 0, 'freeze watches': 0 },
  };
  /** From when to when the API server was away, or there and not yet knowing its roles. Milliseconds since 1970. */
  readonly outages: { readonly from: number; to: number }[] = [];
  /** Exit codes of replicas that were asked to end, where they were not 0. */
  readonly badEnds: string[] = [];

  constructor(
    readonly controlPlane: ControlPlane,
    readonly replicas: readonly Replica[],
    readonly chance: Chance,
  ) {}

  /**
   * Every kind of blow once, then again in another order, until it is over; but the first round to its end.
   * @param stop ends it at once
   */
  async rage({ over, stop }: { readonly over: AbortSignal; readonly stop: AbortSignal }): Promise<void> {
    for (let round = 0; round === 0 || !over.aborted; round++) {
      for (const blow of this.chance.shuffled(blows)) {
        await pause(this.chance.between(1_000, 6_000), undefined, { signal: round === 0 ? stop : over }).catch(
          () => {},
        );
        if (stop.aborted || (over.aborted && round > 0)) return;
        await this.#strike(blow);
        this.counts[blow]++;
      }
    }
  }

  async #strike(blow: Blow): Promise<void> {
    const replica = this.chance.one(this.replicas);
    switch (blow) {
      case 'kill':
        await replica.kill();
        await pause(this.chance.between(0, 3_000));
        return replica.start();
      case 'pause':
        return this.#pause((await this.#leader()) ?? replica);
      case 'terminate':
        return this.#terminate(replica);
      case 'restart the API server':
        return this.#restart();
      case 'take the network away':
        await replica.props.proxy.goAway();
        await pause(this.chance.between(2_000, 12_000));
        return replica.props.proxy.comeBack();
      case 'cut watches':
        return replica.props.proxy.cutWatches();
      case 'freeze watches':
        return replica.props.proxy.freezeWatches();
    }
  }

  /** Beyond its lease, so that the other one takes over meanwhile. */
  async #pause(replica: Replica): Promise<void> {
    await replica.pause();
    await pause(leaseDuration + this.chance.between(2_000, 6_000));
    await replica.resume();
  }

  async #terminate(replica: Replica): Promise<void> {
    const { name } = replica.props;
    const code = await replica.terminate();
    if (code !== 0) this.badEnds.push(`${name}/${replica.lives} ended with ${code} when it was asked to end`);
    replica.start();
  }

  async #restart(): Promise<void> {
    const outage = { from: Date.now(), to: Number.POSITIVE_INFINITY };
    this.outages.push(outage);
    await this.controlPlane.killApiServer();
    await this.controlPlane.startApiServer();
    outage.to = Date.now();
  }

  async #leader(): Promise<Replica | undefined> {
    for (const replica of this.replicas) if (await replica.leads()) return replica;
    return undefined;
  }
}
