import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FollowedPod } from '../../../controllers/training/ports/logs.js';
import { linked } from '../../../runtime/concurrency/abort-signals.js';
import { messageOf } from '../../../runtime/kubernetes/errors.js';
import { type Clock, sleep } from '../../../runtime/ports/clock.js';
import type { PodLogs } from '../../../runtime/ports/pod-logs.js';
import type { KnownLog } from './findings.js';
import type { JobRules, TimedLine } from './job-rules.js';
import { type LogLine, LogLines } from './log-lines.js';
import { type RuleState, unseen } from './rule-state.js';

/** What a follower needs. */
export interface FollowerOptions {
  readonly logs: PodLogs;
  readonly clock: Clock;
  readonly rules: JobRules;
  readonly namespace: string;
  readonly container: string;
  /** Called when a line is a fault, or has one bad value too many. */
  readonly found: () => void;
}

/** Milliseconds between two connections to the same log. */
const pause = 2_000;
/** Milliseconds without older lines after which a new connection has delivered them all. */
const quiet = 1_000;
/** Milliseconds after its start within which a log has its first lines. One that begins later may have lost some. */
const prompt = 60_000;
/** Milliseconds without a connection after which people are told. */
const tolerable = 60_000;
/** Lines that are matched at once. */
const batch = 200;

/**
 * Follows the log of one Pod. Of the lines, it keeps what the rules know of them.
 *
 * Guarantee: silence counts only up to the start of a connection that has delivered all lines before it. While nothing is
 * heard because nothing can be, nothing is found.
 */
export class LogFollower {
  readonly #ending = new AbortController();
  readonly #lines = new LogLines();
  readonly #since: number;
  #states: readonly RuleState[];
  /** When the first connection was there. */
  #attached: number | undefined;
  #firstLine: number | undefined;
  #connected: number | undefined;
  /** When the last line arrived that is older than the connection. */
  #caughtUp = 0;
  #failing: { readonly since: number; readonly why: string } | undefined;
  #reconnect = () => {};
  readonly ended: Promise<void>;

  constructor(
    readonly pod: FollowedPod,
    readonly options: FollowerOptions,
  ) {
    this.#since = Date.parse(pod.since);
    this.#states = options.rules.rules.map(() => unseen);
    this.#failing = { since: options.clock.now(), why: 'no connection yet' };
    this.ended = this.#run();
  }

  /** What is known of the log. */
  get known(): KnownLog {
    const startsAt = this.#startsAt;
    const readUntil = this.#readUntil;
    return {
      ...{ pod: this.pod, states: this.#states },
      ...(startsAt !== undefined && { startsAt }),
      ...(readUntil !== undefined && { readUntil }),
    };
  }

  /** Why nothing is known of the log, as a sentence. Undefined for a short time, too. */
  get failure(): string | undefined {
    if (!this.#failing || this.options.clock.now() - this.#failing.since < tolerable) return undefined;
    return `the log of Pod ${this.pod.name} cannot be read: ${this.#failing.why}`;
  }

  /** Connects anew, unless the connection began at this time or later. */
  proveUntil(time: number): void {
    if (this.#connected !== undefined && this.#connected < time) this.#reconnect();
  }

  close(): Promise<void> {
    this.#ending.abort(new Error('the log is no longer followed'));
    return this.ended;
  }

  get #readUntil(): number | undefined {
    if (this.#connected === undefined) return undefined;
    const isQuiet = this.options.clock.now() - Math.max(this.#connected, this.#caughtUp) >= quiet;
    return isQuiet ? this.#connected : undefined;
  }

  /** A kubelet keeps only the newest part of a log. */
  get #startsAt(): number | undefined {
    if (this.#attached === undefined) return undefined;
    if (this.#attached - this.#since <= prompt) return this.#since;
    if (this.#firstLine === undefined) return this.#attached;
    return this.#firstLine - this.#since <= prompt ? this.#since : undefined;
  }

  async #run(): Promise<void> {
    const { clock } = this.options;
    const ending = this.#ending.signal;
    while (!ending.aborted) {
      const { signal, abort, release } = linked(ending);
      this.#reconnect = () => abort(new Error('connects anew'));
      try {
        await this.#follow(signal);
        this.#lost('the connection ended');
      } catch (error) {
        if (!signal.aborted) this.#lost(messageOf(error));
      } finally {
        this.#connected = undefined;
        release();
      }
      // A connection that was ended to make a new one is followed by it at once.
      if (!signal.aborted) await sleep(clock, pause, ending);
    }
  }

  #lost(why: string): void {
    this.#failing = { since: this.#failing?.since ?? this.options.clock.now(), why };
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { clock, container, logs, namespace } = this.options;
    const second = this.#lines.second;
    const since = new Date(second === undefined ? this.#since : 1_000 * second);
    this.#lines.reconnected();
    const began = clock.now();
    const pieces = await logs.follow({ namespace, name: this.pod.name }, { container, since, signal });
    this.#connected = began;
    this.#attached ??= began;
    this.#failing = undefined;
    for await (const some of pieces) await this.#take(some);
  }

  async #take(pieces: readonly Buffer[]): Promise<void> {
    let lines: TimedLine[] = [];
    for (const line of this.#lines.endedBy(pieces)) {
      lines.push(this.#timed(line));
      if (lines.length < batch) continue;
      this.#judge(lines);
      lines = [];
      // Other work of the process has its turn between two batches.
      await nextTurn();
    }
    if (lines.length > 0) this.#judge(lines);
  }

  /** Clocks of nodes differ from ours, so a line counts from when it arrives, and an older one from when it was written. */
  #timed({ at, text }: LogLine): TimedLine {
    const now = this.options.clock.now();
    this.#firstLine ??= at ?? now;
    if (at === undefined || at >= (this.#connected ?? now)) return { at: now, text };
    this.#caughtUp = now;
    return { at, text };
  }

  #judge(lines: readonly TimedLine[]): void {
    const before = this.#states;
    this.#states = this.options.rules.after(before, lines);
    const isNew = ({ fault, slow }: RuleState, index: number) =>
      (fault !== undefined && !before[index]?.fault) || (slow !== undefined && !before[index]?.slow);
    if (this.#states.some(isNew)) this.options.found();
  }
}
