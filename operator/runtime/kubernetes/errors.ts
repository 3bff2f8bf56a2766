/**
 * Thrown by `desire` if the spec cannot work. The objects keep running, nothing is retried until an edit, and the
 * resource reports `Accepted=False` with this reason and message.
 */
export class RejectedError extends Error {
  override readonly name = 'RejectedError';

  /**
   * True for the error of another copy of the package too. A controller that is a CommonJS module loads another copy
   * than the `reconstruct` command.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'RejectedError';
  }

  /**
   * @param reason CamelCase, stable, for machines
   * @param message what to do and the offending value, for people: `set replicas to 1 or more, got 0`
   */
  constructor(
    readonly reason: string,
    message: string,
  ) {
    super(message);
  }
}

/** A reconcile of a rejected spec that also failed to assess the objects. Both errors are reported. */
export class UnjudgedError extends Error {
  override readonly name = 'UnjudgedError';

  constructor(
    readonly rejected: { readonly reason: string; readonly message: string },
    cause: unknown,
  ) {
    super(`the spec is rejected (${rejected.reason}: ${rejected.message}), and ${messageOf(cause)}`, { cause });
  }
}

interface Answer {
  readonly code: number;
  readonly reason: string;
  readonly retryAfter?: number;
  readonly fields?: readonly string[];
  readonly missing?: string;
  readonly missingKind?: string;
  readonly cause?: unknown;
}

/** An error response of the API server, or a missing response. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status. 0 if no response came (refused, reset, timed out). */
  readonly code: number;
  /**
   * `Status.reason`: `NotFound`, `AlreadyExists`, `Conflict`, `Invalid`, `Forbidden`, `Expired` and so on.
   * `NamespaceTerminating` if that is why a request is forbidden, `NoAnswer` if no response came, `AnswerTooLarge` if
   * the response exceeds the limit.
   */
  readonly reason: string;
  /** Milliseconds that the server asks to wait (Retry-After). */
  readonly retryAfter?: number;
  /** The rejected fields, as paths such as `spec.selector`. */
  readonly fields: readonly string[];
  /** The name of the object that is not found. Undefined if the response names no object: the kind may be missing. */
  readonly missing?: string;
  /** Its plural, as the server names it: `namespaces` if the namespace of the object to write does not exist. */
  readonly missingKind?: string;

  constructor(message: string, answer: Answer) {
    super(message, answer.cause === undefined ? undefined : { cause: answer.cause });
    this.code = answer.code;
    this.reason = answer.reason;
    this.fields = answer.fields ?? [];
    if (answer.retryAfter !== undefined) this.retryAfter = answer.retryAfter;
    if (answer.missing !== undefined) this.missing = answer.missing;
    if (answer.missingKind !== undefined) this.missingKind = answer.missingKind;
  }
}

/**
 * A write that was stopped before it was sent: the lease term is over, and another process may lead. Its cause, if any,
 * is the error of an earlier try of the same write, which may have taken effect.
 */
export class FencedError extends Error {
  override readonly name = 'FencedError';
}

/** A write that was stopped before it was sent: the resource was edited after the reconcile had read it. */
export class OutdatedError extends Error {
  override readonly name = 'OutdatedError';
}

/** Thrown by a reconcile that has reached its limit of work. The next one continues, and nothing has failed. */
export class UnfinishedError extends Error {
  override readonly name = 'UnfinishedError';
}

/**
 * The lease term ended during a reconcile. In an aggregate, one such error is enough, because the others no longer
 * matter.
 */
export function isFenced(error: unknown): boolean {
  return isOneOf(error, FencedError);
}

/** Milliseconds that the server asks to wait. In an aggregate, the longest. */
export function retryAfterOf(error: unknown): number {
  if (error instanceof AggregateError) return Math.max(0, ...error.errors.map(retryAfterOf));
  return error instanceof ApiError ? (error.retryAfter ?? 0) : 0;
}

/**
 * A reconcile was stopped because of an edit. In an aggregate, one such error is enough, because the others belong to
 * an older spec.
 */
export function isOutdated(error: unknown): boolean {
  return isOneOf(error, OutdatedError);
}

function isOneOf(error: unknown, kind: new (message: string) => Error): boolean {
  return error instanceof AggregateError ? error.errors.some((one) => isOneOf(one, kind)) : error instanceof kind;
}

export function isApiError(error: unknown, ...reasons: readonly string[]): error is ApiError {
  return error instanceof ApiError && (reasons.length === 0 || reasons.includes(error.reason));
}

/**
 * A refusal that the same request will meet again: the object is invalid, or a permission or a quota is missing. It
 * needs a person's attention and is retried rarely. In an aggregate, one such error is enough.
 */
export function isRefusal(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isRefusal);
  return isApiError(error, 'Invalid', 'Forbidden', 'BadRequest', 'RequestEntityTooLarge', 'MethodNotAllowed');
}

/**
 * A write met a newer state that the next reconcile will see: the object has changed or is gone, or its namespace is
 * terminating. In an aggregate, all errors must be such. If the kind or the namespace does not exist, another read of
 * the object does not help.
 */
export function isObsolete(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isObsolete);
  if (isNotServed(error) || isHomeless(error)) return false;
  return isApiError(error, 'Conflict', 'NotFound', 'NamespaceTerminating');
}

/** The namespace of the object to write is not found. */
export function isHomeless(error: unknown): error is ApiError {
  return isApiError(error, 'NotFound') && error.missingKind === 'namespaces';
}

/** The kind is not found. A list or a watch names no object that could be missing, and a read would name it. */
export function isNotServed(error: unknown): boolean {
  return isApiError(error, 'NotFound') && error.missing === undefined;
}

/**
 * The server serves the kind and has no object of this name. A bare 404 proves less, because a proxy returns it for any
 * path.
 */
export function isWithout(error: unknown, name: string): boolean {
  return isApiError(error, 'NotFound') && error.missing === name;
}

/** The object has a newer state than the one that was read. The next reconcile sees it. */
export function newer(message: string): ApiError {
  return new ApiError(message, { code: 409, reason: 'Conflict' });
}

/** One line for people about any thrown value. Authors' code and libraries throw anything. */
export function messageOf(error: unknown): string {
  try {
    if (error instanceof Error) return String(error.message);
    return typeof error === 'object' ? JSON.stringify(error) : String(error);
  } catch {
    return 'a value that is not an Error';
  }
}

/**
 * The message of an error from an author's code, also for the status and events. A parser quotes text that it cannot
 * read, which may come from a Secret. So only the position is reported.
 */
export function unquoted(error: unknown): string {
  const message = messageOf(error);
  const start = quotesFrom(error);
  if (start < 0) return message;
  const [, place = ''] = / in JSON( at position \d+)/.exec(message.slice(start)) ?? [];
  return `${message.slice(0, start)}text cannot be parsed${place}; it is not quoted because it may be secret`;
}

/**
 * Where in a message a parser quotes text, in its own error or in that of another error that includes it, as cdk8s
 * does. -1 if nowhere.
 */
function quotesFrom(error: unknown): number {
  return error instanceof SyntaxError ? 0 : messageOf(error).indexOf('SyntaxError: ');
}

/** Where in the code something first failed. An error response of the API server has no such place. */
export function stackOf(error: unknown): string | undefined {
  const seen = new Set<unknown>();
  let first: string | undefined;
  try {
    for (let one = error; one instanceof Error && !isApiError(one) && !seen.has(one); one = one.cause) {
      seen.add(one);
      if (one.stack) first = quotesFrom(one) >= 0 ? withoutMessage(one) : String(one.stack);
    }
  } catch {} // the error that was found until then
  return first;
}

/** The stack of an error without the message that {@link unquoted} withholds. */
function withoutMessage({ name, message, stack = '' }: Error): string {
  const head = `${name}: ${message}`;
  return stack.startsWith(head) ? `${name}${stack.slice(head.length)}` : name;
}

/**
 * The delay of a Retry-After header, in seconds. Undefined if it has none, or a date that is over.
 * @param header a number of seconds, or a date
 * @param now milliseconds since 1970, which a date is compared with
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-retry-after
 */
export function retryAfterIn(header: string, now: number): number | undefined {
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - now) / 1000;
  return seconds >= 0 ? seconds : undefined;
}
