import { isDeepStrictEqual } from 'node:util';
import { deepFreeze } from '../../../runtime/kubernetes/deep-freeze.js';
import { type Clock, systemClock } from '../../../runtime/ports/clock.js';
import { CallError } from '../../../runtime/ports/external-call.js';
import {
  type LongPoll,
  type Perform,
  type Port,
  type Provided,
  provided,
  type Source,
} from '../../../runtime/ports/external-port.js';

/** An external system as pure functions: the state, the answer to a question, and the state after a request. */
export interface PortModel {
  readonly port: Port;
  /** Before any request. Plain JSON. */
  readonly state: unknown;
  readonly answer: (state: never, question: never) => unknown;
  readonly perform: (state: never, request: never) => unknown;
  /**
   * Milliseconds within which the simulation lets an effect show. A call with a shorter `visibleWithin` is repeated.
   * @default 15000
   */
  readonly showsWithin?: number;
}

/**
 * Describes an external system for a test.
 * @param model `perform` throws a `CallError` for a request that the system rejects
 * @example portModel(dns, { state: {}, answer: (names, name) => names[name], perform: (names, { set, to }) => ({ ...names, [set]: to }) })
 */
export function portModel<S, Q, A, R>(
  port: Port<Q, A, R>,
  model: {
    readonly state: S;
    readonly answer: (state: S, question: Q) => A;
    readonly perform: (state: S, request: R) => S;
    readonly showsWithin?: number;
  },
): PortModel {
  return { port, ...model };
}

/** Milliseconds within which the simulation lets an effect show. */
export function showsWithinOf({ showsWithin = 15_000 }: PortModel): number {
  return showsWithin;
}

/** What happens to one call of a memory port. */
export interface CallFate {
  /** The call never reaches the system. */
  readonly isLost?: boolean;
  /** The system carries the request out, and its answer is lost. */
  readonly isUnanswered?: boolean;
  /** The failure that the system reports, without an effect unless `isUnanswered`. */
  readonly error?: CallError;
  /** The effect does not show in answers until {@link MemoryPort.show}. */
  readonly isHidden?: boolean;
}

/** One request that reached the system. */
export interface PerformedRequest {
  readonly request: unknown;
  /** False if the system was in this state before. */
  readonly isChange: boolean;
}

/** A question that is held. */
interface Hold extends Pick<LongPoll, 'wait'>, Pick<Clock, 'after'> {
  readonly hasChanged: () => boolean;
  readonly signal: AbortSignal;
}

/** An external system in memory, which follows a {@link PortModel}. It survives the processes of a test. */
export class MemoryPort {
  #state: unknown;
  #shown: unknown;
  /** Wake the questions that are held. */
  readonly #held = new Set<() => void>();
  /** The requests that reached the system, the oldest first. */
  readonly performed: PerformedRequest[] = [];
  /** Decides about each call. @default - each call has its effect at once */
  fate: (request: unknown) => CallFate = () => ({});
  /** Why no question is answered. @default - each one is answered */
  silence: string | undefined;

  constructor(readonly model: PortModel) {
    this.#state = deepFreeze(model.state);
    this.#shown = this.#state;
  }

  /** What the system is in fact. */
  get state(): unknown {
    return this.#state;
  }

  /** The source and the performer of one process. */
  get provided(): Provided {
    return this.through((act) => act());
  }

  /** The same behind a network. @param send carries out the act at the system, now or later @param after of a clock */
  through(
    send: (act: () => Promise<unknown>, what: 'polls' | 'calls') => Promise<unknown>,
    after: Clock['after'] = systemClock.after,
  ): Provided {
    const { port } = this.model;
    const source: Source<never, unknown> = async (question, { signal, longPoll }) => {
      signal.throwIfAborted();
      const answer = async () => {
        const hasChanged = () => port.versionOf?.(this.answerTo(question) as never) !== longPoll?.after;
        if (longPoll && !hasChanged()) await this.#change({ hasChanged, signal, wait: longPoll.wait, after });
        return this.answerTo(question);
      };
      return send(answer, 'polls');
    };
    const perform: Perform<never> = async (request, { signal }) => {
      signal.throwIfAborted();
      return send(() => this.perform(request), 'calls');
    };
    return provided(port as Port<never, unknown, never>, source, { perform, concurrency: 16, callsPerSecond: 1_000 });
  }

  /** The answer that the system gives now. */
  answerTo(question: unknown): unknown {
    if (this.silence !== undefined) throw new Error(this.silence);
    return this.model.answer(this.#shown as never, question as never);
  }

  /** What the answer would be if every effect showed. */
  trueAnswerTo(question: unknown): unknown {
    return this.model.answer(this.#state as never, question as never);
  }

  /** Somebody else changes the system. */
  meddle(state: unknown): void {
    this.#state = deepFreeze(state);
    this.show();
  }

  /** All effects show from now on. */
  show(): void {
    this.#shown = this.#state;
    for (const wake of [...this.#held]) wake();
  }

  /** Resolves when the answer has changed or the time is over. */
  #change({ hasChanged, signal, wait, after }: Hold): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        cancel();
        signal.removeEventListener('abort', giveUp);
        this.#held.delete(wake);
        settle();
      };
      const wake = () => {
        if (hasChanged()) end(resolve);
      };
      const giveUp = () => end(() => reject(signal.reason));
      const cancel = after(wait, () => end(resolve));
      signal.addEventListener('abort', giveUp);
      this.#held.add(wake);
    });
  }

  async perform(request: unknown): Promise<void> {
    const { isLost, isUnanswered, isHidden, error } = this.fate(request);
    if (isLost) throw new CallError('unreachable', `${this.model.port.name} did not answer`);
    if (error && !isUnanswered) throw error;
    const before = this.#state;
    this.#state = deepFreeze(this.model.perform(before as never, request as never));
    this.performed.push({ request, isChange: !isDeepStrictEqual(before, this.#state) });
    if (!isHidden) this.show();
    if (isUnanswered) throw error ?? new CallError('unreachable', `the answer of ${this.model.port.name} was lost`);
  }
}

/** The external systems of a test. */
export function memoryPorts(models: readonly PortModel[] = []): readonly MemoryPort[] {
  return models.map((model) => new MemoryPort(model));
}

/** The requests that reached external systems. */
export function performedBy(ports: readonly MemoryPort[]): readonly PerformedRequest[] {
  return ports.flatMap((port) => port.performed);
}

/** The states of external systems, by the names of their ports, for a comparison. */
export function statesOf(ports: readonly MemoryPort[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(ports.map((port) => [`outside at ${port.model.port.name}`, port.state]));
}
