import type { PolicyRule } from '../kubernetes/kinds.js';

/**
 * A source outside of the watched cluster: its name, and the permissions that it needs. `Q` is the type of the questions,
 * `A` that of the answers, and `R` that of the requests by which it is changed. All are plain JSON.
 */
export interface Port<Q = never, A = unknown, R = never> {
  /**
   * Its name in messages, logs and metrics, unique in the operator, such as `example.com/dns`. Names that start with
   * `reconstruct/` belong to this package.
   */
  readonly name: string;
  /**
   * The name that it had before. Requests that an earlier version recorded under that name in `status.externalCalls` count
   * as recorded under the new name. Keep it once it is set. @default - it always had this name
   */
  readonly formerName?: string;
  /** RBAC permissions that the source needs at the API server. @default [] */
  readonly rbacRules?: readonly PolicyRule[];
  /**
   * The Secrets that questions and requests name. The names, if they are the same for all resources, otherwise `any`. The
   * operator gets the permission to read them. @default [] - no question or request names a Secret
   */
  readonly secrets?: readonly string[] | 'any';
  /**
   * Fields of requests that logs and events omit, because other values can be compared with them, such as a hash of a
   * password. @default [] - requests are logged whole
   */
  readonly unlogged?: readonly string[];
  /**
   * Milliseconds after the end of a call within which its effect shows in the answers, at most one hour. The same request
   * is not sent again earlier. After a restart, the operator waits as long for effects of calls that the process before may
   * have sent, before it removes a finalizer. Take the longest time of all requests. Set 0 if the source shows each change
   * at once. @default 30_000
   */
  readonly visibleWithin?: number;
  /**
   * The version of an answer. Two answers with the same version are the same to the controller, and no version comes back
   * after a restart of the system. Pure. Undefined for an answer of a system that cannot hold a poll.
   * @default - the source holds no poll
   */
  versionOf?(answer: A): string | undefined;
  /** Never set. It carries the types. */
  readonly speaks?: (question: Q) => A;
  /** Never set. It carries the type. */
  readonly performs?: (request: R) => void;
}

/** Milliseconds: the longest `visibleWithin` of a port. */
export const longestVisibleWithin = 3_600_000;

/** Milliseconds after the end of a call within which its effect shows. */
export function visibleWithinOf({ visibleWithin = 30_000 }: Pick<Port, 'visibleWithin'>): number {
  return visibleWithin;
}

/**
 * Answers questions, or rejects with an error for people. The message is logged and may reach a status, so it must not
 * contain secrets.
 *
 * @param signal aborts when the answer is no longer needed
 */
export type Source<Q, A> = (question: Q, options: SourceCallOptions) => Promise<A>;

/** What a source gets beside the question. */
export interface SourceCallOptions {
  readonly signal: AbortSignal;
  /** The data of the Secret that the question names, read for this call. */
  readonly secret?: SecretData | undefined;
  /** Set if the source may hold the question. Otherwise the answer is needed at once. */
  readonly longPoll?: LongPoll | undefined;
}

/** The source answers at once if the answer has another version, else when it gets one or when the time is over. */
export interface LongPoll {
  /** The version of the last answer. */
  readonly after: string;
  /** Milliseconds. */
  readonly wait: number;
}

/** The decoded data of a Secret, by its keys. */
export type SecretData = Readonly<Record<string, string>>;

/** What a performer gets beside the request. */
export interface PerformOptions {
  /** Aborts when the call times out, the operator stops, or the lease term ends. */
  readonly signal: AbortSignal;
  /**
   * Throws if the call must not be sent any more. Call it again right before the request leaves, if something was awaited
   * before, such as a token or a connection.
   */
  readonly mayLeave: () => void;
  /** The data of the Secret that the call names, read for this call. */
  readonly secret?: SecretData | undefined;
}

/**
 * Carries out a request, or rejects. Its answer counts for nothing: the runtime asks the source whether the request had
 * an effect. The message of an error is logged and reaches a status and an event, so it must not contain secrets.
 * @throws {CallError} with the kind of the failure. Any other error counts as one after which the effect is unknown
 */
export type Perform<R> = (request: R, options: PerformOptions) => Promise<unknown>;

/** How a port carries out requests. */
export interface Performer<R = never> {
  readonly perform: Perform<R>;
  /** The number of concurrent calls of this process. @default 4 */
  readonly concurrency?: number;
  /** The number of calls that may start in one second. @default 10 */
  readonly callsPerSecond?: number;
  /**
   * The server that carries out a request. While one gives no answer, only its own calls are held back. Pure.
   * @default - one server carries out all requests
   */
  serverOf?(request: R): string;
}

/**
 * Tells which answers may have changed, for example because of a webhook or a long poll. The runtime asks these questions
 * anew, at most once a second. It polls all the same, so an announcement may be lost.
 *
 * @param signal aborts when nothing is to be announced any more
 */
export type Announcer<Q> = (announce: (question: Q) => void, options: { readonly signal: AbortSignal }) => void;

/** A port with the source that answers it. */
export interface Provided {
  readonly port: Port;
  readonly source: Source<never, unknown>;
  /** @default - it answers questions only */
  readonly performer?: Performer;
  /** @default - it is only polled */
  readonly announces?: Announcer<unknown>;
}

/** What a source can do beside answering questions. */
export interface SourceOptions<Q, R> extends Partial<Performer<R>> {
  readonly announces?: Announcer<Q>;
}

/** Connects a source to a port. @param options pass `perform` if controllers call the port */
export function provided<Q, A, R>(
  port: Port<Q, A, R>,
  source: Source<Q, A>,
  { announces, perform, ...limits }: SourceOptions<Q, R> = {},
): Provided {
  return { port, source, ...(perform && { performer: { perform, ...limits } }), ...(announces && { announces }) };
}

/** The prefix of the names of this package's ports. */
const ownPrefix = 'reconstruct/';

/** Ports of this package may come from several copies of it, so that their names identify them. */
function isSamePort(one: Port, other: Port): boolean {
  return one === other || (one.name === other.name && one.name.startsWith(ownPrefix));
}

/** A port, and what uses it, for people. */
export interface PortUse {
  readonly port: Port;
  readonly by: string;
}

/**
 * Refuses different ports of one name: one of them would be polled at the source of the other, or be called there with its
 * Secret.
 * @throws {Error} that names both users of the name
 */
export function refuseSameNames(uses: readonly PortUse[]): void {
  const known = new Map<string, PortUse>();
  for (const use of uses) {
    const { name } = use.port;
    const other = known.get(name) ?? use;
    known.set(name, other);
    if (isSamePort(other.port, use.port)) continue;
    const who = other.by === use.by ? `${use.by} uses two` : `${other.by} and ${use.by} use two different`;
    throw new Error(
      `${who} ports named ${name}: use one and the same object, or give one of them another name, such as example.com/${name}`,
    );
  }
}

/** What answers at a port: the first that was passed, for polls and calls alike. */
export function providedAt(name: string, ports: readonly Provided[]): Provided | undefined {
  return ports.find(({ port }) => port.name === name);
}
