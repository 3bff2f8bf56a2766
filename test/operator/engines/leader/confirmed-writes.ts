import { setTimeout as pause } from 'node:timers/promises';
import { redisAnswers } from '../../../../operator/engines/leader/redis-client.js';
import { redisPort } from './local-candidate.js';

/** A write that one replica has confirmed, and when. */
interface Confirmed {
  readonly key: string;
  readonly term: number;
  readonly start: number;
  readonly end: number;
}

/** Milliseconds until a write counts as refused. */
const patience = 3_000;

/** A server that may be the leader. */
interface Server {
  readonly name: string;
  readonly address: string;
}

/** Writers that write to every candidate, as if each were the leader, and note what `WAIT 1` has confirmed. */
export class ConfirmedWrites {
  readonly #all: Confirmed[] = [];
  readonly #writing: Promise<void>[] = [];
  #isOver = false;

  /** @param between milliseconds between two writes of one writer */
  constructor(
    servers: readonly Server[],
    readonly between = 5,
  ) {
    for (const server of servers) this.writeTo(server);
  }

  /** Writes to one more server. */
  writeTo(server: Server): void {
    this.#writing.push(this.#write(server));
  }

  get count(): number {
    return this.#all.length;
  }

  /** The longest time without a confirmed write, in milliseconds. @param start by `performance.now()` */
  longestGap(start: number): number {
    const ends = [start, ...this.#all.map(({ end }) => end).filter((end) => end > start)].toSorted((a, b) => a - b);
    return Math.max(0, ...ends.slice(1).map((end, index) => end - (ends[index] ?? end)));
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#writing);
  }

  /** Writes that a leader of a lower term has accepted after one of a higher term had confirmed another. */
  overlaps(): readonly Confirmed[] {
    const first = new Map<number, number>();
    for (const { term, end } of this.#all) first.set(term, Math.min(first.get(term) ?? Number.POSITIVE_INFINITY, end));
    return this.#all.filter(({ term, start }) => [...first].some(([other, at]) => other > term && start > at));
  }

  /** Keys that a server does not have. */
  async lost(at: Server): Promise<readonly string[]> {
    const keys = this.#all.map(({ key }) => key);
    const missing: string[] = [];
    for (let start = 0; start < keys.length; start += 500) {
      const some = keys.slice(start, start + 500);
      const answers = await redisAnswers(
        { address: at.address, port: redisPort },
        some.map((key) => ['GET', key]),
        AbortSignal.timeout(30_000),
      );
      missing.push(...some.filter((key, index) => answers[index] !== key));
    }
    return missing;
  }

  async #write({ name, address }: Server): Promise<void> {
    for (let number = 0; !this.#isOver; number++) {
      const [key, start] = [`${name}-${number}`, performance.now()];
      const commands = [
        ['SET', key, key],
        ['WAIT', '1', '1000'],
        ['GET', 'reconstruct:leader:term'],
      ];
      const answers = await redisAnswers({ address, port: redisPort }, commands, AbortSignal.timeout(patience)).catch(
        () => [],
      );
      const [set, replicas, term] = answers;
      if (set === 'OK' && Number(replicas) >= 1)
        this.#all.push({ key, term: Number(term), start, end: performance.now() });
      await pause(this.between);
    }
  }
}
