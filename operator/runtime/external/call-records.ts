import type { Answers } from '../controller/polls.js';
import type { CallError, CallState } from '../ports/external-call.js';
import type { DesiredCall } from '../rendering/external-call.js';
import {
  type Attempt,
  effectOf,
  isUncertain,
  othersNotBefore,
  pauseAfter,
  type Sends,
  stateOf,
  timeText,
  toldOf,
} from './call-attempt.js';
import type { Asked } from './poller.js';

/** What a reconcile knows when it decides about calls. */
export interface CallView {
  readonly answers: Answers;
  /** When the known answers were asked for. */
  readonly asked: ReadonlyMap<string, Asked>;
  /** The state of the resource that the calls were rendered for: another value means an edit or the deletion. */
  readonly stamp: string;
  /** Monotonic. */
  readonly now: number;
  /** Until when calls of an earlier process may show their effect (monotonic), for a call of this `visibleWithin`. */
  readonly inherited: (visibleWithin: number) => number;
  /** A monotonic time in milliseconds since 1970, always the same for one time. For people. */
  readonly timeOf: (monotonic: number) => number;
  /** Why a call cannot be sent now, because its server gives no answers. */
  readonly unreachable: (call: DesiredCall) => { why: string; since: number; retryIn: number } | undefined;
}

/** What to do about the rendered calls. */
export interface CallDecision {
  readonly states: ReadonlyMap<string, CallState>;
  /** The calls to send now: one, or several that are independent. */
  readonly due: readonly DesiredCall[];
  /** Milliseconds until these polls are to be asked anew, because no event would show what is waited for. */
  readonly look?: { readonly after: number; readonly polls: readonly string[] } | undefined;
}

/** Milliseconds after the end of a call until its effect is looked for again, doubled each time. */
const firstLook = 1_000;

const waiting = (why: string): CallState => ({ state: 'waiting', why });
const inProgress = waiting('The call is in progress');
const behind = waiting('Another call of the resource is in progress');

/**
 * What a process remembers of the calls of one resource, and which of the rendered calls may be sent.
 *
 * Guarantees: at most one call of the resource is in progress, or several that are independent. None is sent unless all of its
 * answers are known and were asked for after the end of every earlier call. For an independent call, those that are
 * independent and refresh other polls do not count. The same request is sent again only on answers that were asked for after
 * its effect had to show. It assumes that an earlier process may have sent any call until its term ended.
 */
export class CallRecords {
  readonly #attempts = new Map<string, Attempt>();
  /** The calls in progress, by name, and when they were handed over, in milliseconds since 1970. */
  readonly #inFlight = new Map<string, { readonly call: DesiredCall; readonly at: number }>();
  #lastOrder = 0;
  /** The end of the last call that is not independent. */
  #lastDependent = 0;
  /** The end of the last call that each poll is asked anew after. */
  readonly #refreshed = new Map<string, number>();
  #deletion: number | undefined;

  /** Whether a call is in progress. */
  get isBusy(): boolean {
    return this.#inFlight.size > 0;
  }

  /** Records that a call is about to be sent. @param at milliseconds since 1970 */
  begin(call: DesiredCall, at: number): void {
    this.#inFlight.set(call.name, { call, at });
  }

  /** Records that a call in progress was not sent. */
  withdraw({ name }: Pick<DesiredCall, 'name'>): void {
    this.#inFlight.delete(name);
  }

  /** Records the end of a call in progress. */
  end(
    call: DesiredCall,
    {
      ended,
      at,
      random,
      error,
      view,
    }: Pick<Attempt, 'ended' | 'at'> & {
      readonly error: CallError | undefined;
      readonly random: number;
      readonly view: Pick<CallView, 'answers' | 'stamp'>;
    },
  ): void {
    const sent = this.sendsWith(call);
    this.#inFlight.delete(call.name);
    this.#noteEnd(call, ended.order);
    const before = this.#attempts.get(call.name);
    const isSame = before?.call.hash === call.hash;
    const tries = isSame ? before.tries + 1 : 1;
    const isRefused = error?.mayHaveEffect === false;
    const sends = isRefused ? this.#sendsOf(call) : sent;
    const shows = isRefused ? 0 : call.visibleWithin;
    const wait = pauseAfter(isRefused ? tries : sends.count, { shows, error, random });
    const since = isSame && before.error && error ? before.since : at;
    this.#attempts.set(call.name, {
      ...{ call, stamp: view.stamp, basis: basisOf(call, view.answers), ended, at, sends, tries, error, since },
      ...{ notBefore: ended.at + wait, showsUntil: Math.max(before?.showsUntil ?? ended.at, ended.at + shows) },
    });
  }

  /**
   * Records a call that an earlier process may have sent, as the status tells.
   * @param age milliseconds since it was sent, as far as the clocks of the two processes agree
   */
  inherit(
    name: string,
    { age, ...attempt }: Pick<Attempt, 'call' | 'ended' | 'at' | 'error' | 'sends'> & { readonly age: number },
  ): void {
    if (this.isPending(name)) return;
    const { call, ended, at, error, sends } = attempt;
    this.#noteEnd(call, ended.order);
    const shown = ended.at + call.visibleWithin;
    const pause = pauseAfter(sends.count, { shows: call.visibleWithin, error, random: 1 });
    const notBefore = Math.max(shown, ended.at + pause - Math.max(0, age));
    const times = { since: at, notBefore, showsUntil: shown };
    this.#attempts.set(name, { ...attempt, stamp: '', basis: '', tries: 1, ...times });
  }

  #noteEnd({ refreshes, independent }: Attempt['call'], order: number): void {
    this.#lastOrder = order;
    if (!independent) this.#lastDependent = order;
    for (const poll of refreshes) this.#refreshed.set(poll, order);
  }

  /** The end of the last call after which the answers of a call must have been asked for. */
  #lastBefore({ refreshes, independent }: Pick<DesiredCall, 'refreshes' | 'independent'>): number {
    if (!independent) return this.#lastOrder;
    return Math.max(this.#lastDependent, ...refreshes.map((poll) => this.#refreshed.get(poll) ?? 0));
  }

  /** How often a call was sent, with the time that is in progress. */
  sendsWith(call: Pick<DesiredCall, 'name' | 'hash'>): Sends {
    const { count, firstAt } = this.#sendsOf(call);
    return { count: count + 1, firstAt: count === 0 ? (this.#inFlight.get(call.name)?.at ?? 0) : firstAt };
  }

  #sendsOf({ name, hash }: Pick<DesiredCall, 'name' | 'hash'>): Sends {
    const attempt = this.#attempts.get(name);
    return attempt?.call.hash === hash ? attempt.sends : { count: 0, firstAt: 0 };
  }

  /** True if a call of this name was sent, and its effect is not observed yet. */
  isPending(name: string): boolean {
    return this.#inFlight.has(name) || this.#attempts.has(name);
  }

  /** Decides about the rendered calls, in their order, and forgets calls whose effect was observed. */
  decide(calls: readonly DesiredCall[], view: CallView): CallDecision {
    this.#confirm(calls, view);
    const states = new Map<string, CallState>();
    const looks: { after: number; polls: readonly string[] }[] = [];
    const due: DesiredCall[] = [];
    for (const call of calls) {
      const { state, look } = this.#judge(call, calls, view);
      if (look !== undefined) looks.push({ after: Math.max(0, look), polls: call.refreshes });
      if (state) states.set(call.name, state);
      else if (this.#isHeldUp(call, due)) states.set(call.name, this.#stateBefore(call) ?? behind);
      else {
        due.push(call);
        states.set(call.name, this.#stateBefore(call) ?? inProgress);
      }
    }
    for (const { call, ended, showsUntil } of this.#unrendered(calls))
      if (unknownIn(call, view) === undefined)
        looks.push({ after: this.#untilLook(ended.at, showsUntil, view.now), polls: call.refreshes });
    return { states, due, look: due.length > 0 ? undefined : earliestLook(looks) };
  }

  /** Whether a call waits for the end of another one, which is in progress or about to be. */
  #isHeldUp(call: DesiredCall, due: readonly DesiredCall[]): boolean {
    const others = [...[...this.#inFlight.values()].map((one) => one.call), ...due];
    const isApart = (other: DesiredCall) => !other.refreshes.some((poll) => call.refreshes.includes(poll));
    return !others.every((other) => call.independent && other.independent && isApart(other));
  }

  /**
   * What a resource that is being deleted waits for, because it is unknown whether it still has something outside of the
   * cluster. Undefined if nothing is left. It is decided on answers that were asked for after the deletion. An effect that
   * no poll would show any more is waited for until it had to show: then nobody can tell whether it did.
   * @param order of the first call of this method
   */
  unsettled(
    view: CallView,
    { order, visibleWithin }: { order: () => number; visibleWithin: number },
  ): string | undefined {
    this.#deletion ??= order();
    const [inFlight] = this.#inFlight.values();
    if (inFlight) {
      const { name, timeout } = inFlight.call;
      return `call ${name}, in progress since ${timeText(inFlight.at)}, which ends at the latest ${timeout / 1_000} s after it is sent`;
    }
    for (const [poll, answer] of Object.entries(view.answers)) {
      if (!answer) continue;
      if (!answer.known) return `${poll}, which has not been known since ${timeText(answer.since)}: ${answer.why}`;
      const asked = view.asked.get(poll);
      if (!asked || asked.order <= Math.max(this.#lastOrder, this.#deletion)) return `a new answer to ${poll}`;
      const inherited = view.inherited(visibleWithin);
      if (asked.at < inherited)
        return `effects of calls of an earlier process, which show by ${timeText(view.timeOf(inherited))} if there are any`;
    }
    for (const [name, attempt] of this.#attempts)
      if (lookedAt(attempt.call, view) < attempt.showsUntil) return effectOf(name, attempt, view.timeOf);
    return undefined;
  }

  /** The resource is not to be cleaned up, or no longer. */
  resume(): void {
    this.#deletion = undefined;
  }

  /** Milliseconds until the effects of all calls have to show. */
  untilSettled({ now }: CallView): number {
    return Math.max(0, ...[...this.#attempts.values()].map(({ showsUntil }) => showsUntil - now));
  }

  /** The state of one call. Undefined if it may be sent. `look`: milliseconds until an answer is needed. */
  #judge(
    call: DesiredCall,
    calls: readonly DesiredCall[],
    view: CallView,
  ): { readonly state?: CallState; readonly look?: number } {
    const after = this.#stateBefore(call);
    if (this.#inFlight.has(call.name)) return { state: after ?? inProgress };
    const unknown = unknownIn(call, view);
    const attempt = this.#attempts.get(call.name);
    const isSame = attempt?.call.hash === call.hash;
    if (unknown !== undefined) return { state: after ?? waiting(unknown) };
    const first = call.after.find((name) => calls.some((other) => other.name === name) || this.isPending(name));
    if (first !== undefined) return { state: waiting(`Call ${first} must show its effect first`) };
    const asked = oldestOf(call.refreshes, view);
    const last = this.#lastBefore(call);
    if (asked.order <= last) {
      const state = after ?? waiting('The answers are older than the last call');
      // Otherwise another call would wait until its polls are asked anew by time.
      const isRefreshed = call.refreshes.every((poll) => (this.#refreshed.get(poll) ?? 0) >= last);
      return { state, ...(!isRefreshed && { look: 0 }) };
    }
    const { now } = view;
    if (isSame && isFinal(attempt, call, view)) return { state: stateOf(attempt) };
    if (isSame && asked.at < attempt.notBefore)
      return { state: stateOf(attempt), look: this.#untilLook(attempt.ended.at, attempt.notBefore, now) };
    if (attempt && !isSame && isUncertain(attempt) && asked.at < othersNotBefore(attempt))
      return {
        state: waiting('An earlier request without a known result may still show its effect'),
        look: othersNotBefore(attempt) - now,
      };
    const inherited = attempt || call.irreversible ? Number.NEGATIVE_INFINITY : view.inherited(call.visibleWithin);
    if (asked.at < inherited)
      return {
        state: waiting('A call of an earlier process may still show its effect'),
        look: this.#untilLook(inherited - call.visibleWithin, inherited, now),
      };
    const away = view.unreachable(call);
    if (!away) return {};
    return {
      state: {
        state: 'failed',
        kind: 'unreachable',
        why: `${call.port} is unreachable: ${away.why}`,
        since: away.since,
        ...toldOf(this.#sendsOf(call)),
      },
      look: away.retryIn,
    };
  }

  /** The state after the last time that the same request was sent. While it is sent again, no condition changes. */
  #stateBefore({ name, hash }: DesiredCall): CallState | undefined {
    const attempt = this.#attempts.get(name);
    return attempt?.call.hash === hash ? stateOf(attempt) : undefined;
  }

  /** Milliseconds until the effect is looked for again, at the latest when it has to show. */
  #untilLook(ended: number, last: number, now: number): number {
    let look = firstLook;
    while (ended + look <= now) look *= 2;
    return Math.min(ended + look, Math.max(last, now)) - now;
  }

  /** An effect was observed if the call is no longer rendered. After an edit that proves nothing before it has to show. */
  #confirm(calls: readonly DesiredCall[], view: CallView): void {
    for (const [name, attempt] of this.#attempts) {
      if (calls.some((call) => call.name === name) || unknownIn(attempt.call, view) !== undefined) continue;
      const asked = oldestOf(attempt.call.refreshes, view);
      if (asked.order <= this.#lastBefore(attempt.call)) continue;
      if (attempt.stamp === view.stamp || lookedAt(attempt.call, view) >= attempt.showsUntil)
        this.#attempts.delete(name);
    }
  }

  /** Calls that are no longer rendered, whose effect may still show. */
  #unrendered(calls: readonly DesiredCall[]): readonly Attempt[] {
    const names = new Set(calls.map(({ name }) => name));
    return [...this.#attempts].filter(([name]) => !names.has(name)).map(([, attempt]) => attempt);
  }
}

/** A server that never accepts a request is not asked again before an edit or another answer. */
function isFinal(attempt: Attempt, call: DesiredCall, { answers, stamp }: CallView): boolean {
  return attempt.error?.kind === 'terminal' && attempt.stamp === stamp && attempt.basis === basisOf(call, answers);
}

/** Why the answers that show the effect of a call are not known. */
function unknownIn({ refreshes }: Pick<DesiredCall, 'refreshes'>, { answers }: CallView): string | undefined {
  for (const poll of refreshes) {
    const answer = answers[poll];
    if (!answer) return `${poll} is not polled`;
    if (!answer.known) return `${poll} is not known: ${answer.why}`;
  }
  return undefined;
}

/** When the oldest of these answers was asked for. */
function oldestOf(polls: readonly string[], { asked }: CallView): Asked {
  const none = { at: Number.NEGATIVE_INFINITY, order: 0 };
  const all = polls.map((poll) => asked.get(poll) ?? none);
  return { at: Math.min(...all.map(({ at }) => at)), order: Math.min(...all.map(({ order }) => order)) };
}

/** When the polled answers among those that show a call were asked for. If none is polled, no later look shows more than now. */
function lookedAt({ refreshes }: Pick<DesiredCall, 'refreshes'>, view: CallView): number {
  const polled = refreshes.filter((poll) => view.answers[poll]);
  return polled.length === 0 ? view.now : oldestOf(polled, view).at;
}

function basisOf({ refreshes }: Pick<DesiredCall, 'refreshes'>, answers: Answers): string {
  return JSON.stringify(refreshes.map((poll) => answers[poll]?.known && answers[poll].value));
}

function earliestLook(looks: readonly { after: number; polls: readonly string[] }[]): CallDecision['look'] {
  if (looks.length === 0) return undefined;
  const after = Math.min(...looks.map((look) => look.after));
  return { after, polls: [...new Set(looks.flatMap(({ polls }) => polls))] };
}
