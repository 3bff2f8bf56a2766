import { ApiError } from '../../../runtime/kubernetes/errors.js';
import type { Chance } from './chance.js';
import type { SimulatedRequest } from './server.js';

/** The faults between a process and its API server. */
export const faults = [
  /** A request is refused or does not arrive. */
  'refusals',
  /** A write is carried out, but its response is lost. */
  'lost answers',
  /** A process crashes before or after a write, or at any other time. */
  'crashes',
  /** A process is paused, possibly for longer than its lease. */
  'pauses',
  /** Requests and responses take seconds. */
  'slow requests',
  /** Watch events arrive seconds late. */
  'late news',
  /** Watches end or break. */
  'cut watches',
  /** Watches stay open, but become silent. */
  'silent watches',
  /** The server discards old events, so that watches must list again. */
  'expiries',
] as const;

export type Fault = (typeof faults)[number];

/** The outcome of one request. */
export type Fate =
  | 'done'
  | 'dies before'
  | 'dies after'
  | 'stands still'
  | { readonly refused: ApiError }
  | { readonly lost: ApiError };

/**
 * The rates of the faults in one run. Each fault is disabled in about half of the runs, so that it cannot hide the
 * effects of other faults.
 */
export class Weather {
  /** True if no more faults occur. */
  isCalm = false;
  /** Number of faults so far. */
  troubles = 0;
  readonly #rates: ReadonlyMap<Fault, number>;

  constructor(
    readonly chance: Chance,
    without: ReadonlySet<Fault> = new Set(),
  ) {
    const rates = faults.map((fault) => {
      const rate = chance.happens(0.5) ? chance.spread(0.01, 0.25) : 0;
      return [fault, without.has(fault) ? 0 : rate] as const;
    });
    this.#rates = new Map(rates);
  }

  /** True if a fault is enabled in this run. */
  has(fault: Fault): boolean {
    return (this.#rates.get(fault) ?? 0) > 0;
  }

  /** Milliseconds that a request or its response takes. */
  delay(): number {
    return this.comes('slow requests') ? this.chance.spread(50, 4_000) : this.chance.spread(0.5, 20);
  }

  /** Milliseconds between a change and its watch event. */
  lag(): number {
    return this.comes('late news') ? this.chance.spread(50, 8_000) : this.chance.spread(0.5, 20);
  }

  /** Milliseconds that a process is paused: less or more than the term of its lease. */
  pause(): number {
    return this.chance.between(1_000, 40_000);
  }

  /** Milliseconds until the next chance for a fault that does not depend on a request. */
  untilNext(): number {
    return this.chance.between(500, 4_000);
  }

  fateOf({ verb }: SimulatedRequest): Fate {
    const isWrite = !['list', 'watch', 'read', 'discover'].includes(verb);
    if (this.comes('refusals')) return { refused: this.chance.pick(isWrite ? writeRefusals : readRefusals)() };
    if (!isWrite) return 'done';
    if (this.comes('lost answers')) return { lost: this.chance.pick(losses)() };
    if (this.comes('pauses')) return 'stands still';
    if (this.comes('crashes')) return this.chance.pick(['dies before', 'dies after'] as const);
    return 'done';
  }

  /** The outcome of a watch at its next event. */
  fateOfWatch(): 'goes on' | 'ends' | 'goes silent' | ApiError {
    if (this.comes('silent watches')) return 'goes silent';
    if (this.comes('cut watches')) return this.chance.happens(0.5) ? 'ends' : noAnswer();
    if (this.comes('expiries')) return expired();
    return 'goes on';
  }

  /** Decides whether a fault occurs now. */
  comes(fault: Fault): boolean {
    const rate = this.isCalm ? 0 : (this.#rates.get(fault) ?? 0);
    if (rate === 0 || !this.chance.happens(rate)) return false;
    this.troubles++;
    return true;
  }
}

const noAnswer = () => new ApiError('the connection was reset', { code: 0, reason: 'NoAnswer' });
const internal = () => new ApiError('internal error', { code: 500, reason: 'InternalError' });
const unavailable = () => new ApiError('the server is starting', { code: 503, reason: 'ServiceUnavailable' });
const busy = () => new ApiError('too many requests', { code: 429, reason: 'TooManyRequests', retryAfter: 1_000 });
const conflict = () => new ApiError('the object has changed', { code: 409, reason: 'Conflict' });
const timeout = () => new ApiError('the server took too long', { code: 504, reason: 'Timeout' });
const expired = () => new ApiError('too old resource version', { code: 410, reason: 'Expired' });

const readRefusals = [noAnswer, internal, unavailable, busy, timeout];
const writeRefusals = [...readRefusals, conflict];
const losses = [noAnswer, internal, timeout];
