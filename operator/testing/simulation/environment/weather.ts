import { ApiError } from '../../../runtime/kubernetes/errors.js';
import type { Chance } from './chance.js';
import type { SimulatedRequest } from './server.js';

/** What goes wrong between a process and its API server, each by its name. */
export const faults = [
  /** A request is refused, or does not arrive. */
  'refusals',
  /** A write is carried out and its answer is lost. */
  'lost answers',
  /** A process dies right before or right after a write, or at any other moment. */
  'crashes',
  /** A process stands still for longer than its lease. */
  'pauses',
  /** Requests and answers take seconds. */
  'slow requests',
  /** News of a watch comes seconds late. */
  'late news',
  /** Watches end, or break. */
  'cut watches',
  /** Watches stay open and say nothing any more. */
  'silent watches',
  /** The server forgets what happened: watches must list again. */
  'expiries',
] as const;

export type Fault = (typeof faults)[number];

/** What becomes of one request. */
export type Fate =
  | 'done'
  | 'dies before'
  | 'dies after'
  | 'stands still'
  | { readonly refused: ApiError }
  | { readonly lost: ApiError };

/**
 * How often what goes wrong in one run. Each fault is left out of every other run: what happens in the shadow of
 * another fault is found where that one is missing.
 */
export class Weather {
  /** Nothing goes wrong any more. */
  isCalm = false;
  /** How often something went wrong. */
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

  /** True if a fault may come before the weather is calm, or may have come. */
  has(fault: Fault): boolean {
    return (this.#rates.get(fault) ?? 0) > 0;
  }

  /** Milliseconds that a request or its answer takes. */
  delay(): number {
    return this.comes('slow requests') ? this.chance.spread(50, 4_000) : this.chance.spread(0.5, 20);
  }

  /** Milliseconds between something and the news of it. */
  lag(): number {
    return this.comes('late news') ? this.chance.spread(50, 8_000) : this.chance.spread(0.5, 20);
  }

  /** Milliseconds that a process stands still: less than the term of its lease, or more. */
  pause(): number {
    return this.chance.between(1_000, 40_000);
  }

  /** Milliseconds until the next occasion for what nobody's request brings about. */
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

  /** What a watch meets instead of its next event. */
  fateOfWatch(): 'goes on' | 'ends' | 'goes silent' | ApiError {
    if (this.comes('silent watches')) return 'goes silent';
    if (this.comes('cut watches')) return this.chance.happens(0.5) ? 'ends' : noAnswer();
    if (this.comes('expiries')) return expired();
    return 'goes on';
  }

  /** Draws whether a fault comes now. */
  comes(fault: Fault): boolean {
    const rate = this.isCalm ? 0 : (this.#rates.get(fault) ?? 0);
    if (rate === 0 || !this.chance.happens(rate)) return false;
    this.troubles++;
    return true;
  }
}

const noAnswer = () => new ApiError('the connection was reset', { code: 0, reason: 'NoAnswer' });
const internal = () => new ApiError('something went wrong', { code: 500, reason: 'InternalError' });
const unavailable = () => new ApiError('the server is starting', { code: 503, reason: 'ServiceUnavailable' });
const busy = () => new ApiError('too many requests', { code: 429, reason: 'TooManyRequests', retryAfter: 1_000 });
const conflict = () => new ApiError('the object has changed', { code: 409, reason: 'Conflict' });
const timeout = () => new ApiError('the server took too long', { code: 504, reason: 'Timeout' });
const expired = () => new ApiError('too old resource version', { code: 410, reason: 'Expired' });

const readRefusals = [noAnswer, internal, unavailable, busy, timeout];
const writeRefusals = [...readRefusals, conflict];
const losses = [noAnswer, internal, timeout];
