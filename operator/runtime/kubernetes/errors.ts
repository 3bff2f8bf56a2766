/**
 * Thrown by `desire` when the spec cannot work: what runs keeps running, nothing is retried until an edit, and the
 * resource says `Accepted=False` with this reason and message.
 */
export class RejectedError extends Error {
  override readonly name = 'RejectedError';

  /**
   * @param reason CamelCase, stable, for machines
   * @param message what to do and what was got, for people: `set replicas to 1 or more, got 0`
   */
  constructor(
    readonly reason: string,
    message: string,
  ) {
    super(message);
  }
}

/** A pass over a rejected spec that could not judge what runs: both are to be told. */
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

/** What the API server answered when it did not do as it was asked. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 where no answer came (refused, reset, timed out). */
  readonly code: number;
  /**
   * `Status.reason`: `NotFound`, `AlreadyExists`, `Conflict`, `Invalid`, `Forbidden`, `Expired` …; `NamespaceTerminating`
   * where that is why it is forbidden, `NoAnswer` where none came, `AnswerTooLarge` where more came than is taken in.
   */
  readonly reason: string;
  /** Milliseconds that the server asks to wait (Retry-After), if it does. */
  readonly retryAfter?: number;
  /** The fields that it complains of, as paths such as `spec.selector`. */
  readonly fields: readonly string[];
  /** The name of what is not found; undefined of an answer that says so of no object: the kind may be what is missing. */
  readonly missing?: string;
  /** Its plural, as the server names it: `namespaces` where what was to be written has no place to be. */
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
 * A write that was stopped before it left: the term of the lease is over, another process may lead. Its cause, where it has
 * one, is that of an earlier try of the same write, which may have been carried out.
 */
export class FencedError extends Error {
  override readonly name = 'FencedError';
}

/** A write that was stopped before it left: the resource was edited after the pass had looked at it. */
export class OutdatedError extends Error {
  override readonly name = 'OutdatedError';
}

/** Thrown by a pass that has done as much as one may: what is left is for the next one, and nothing has failed. */
export class UnfinishedError extends Error {
  override readonly name = 'UnfinishedError';
}

/** The term ended during a pass. Of several failures one such is enough: nothing is to be done about the others. */
export function isFenced(error: unknown): boolean {
  return isOneOf(error, FencedError);
}

/** Milliseconds that the server asks to wait; of several failures the longest. */
export function retryAfterOf(error: unknown): number {
  if (error instanceof AggregateError) return Math.max(0, ...error.errors.map(retryAfterOf));
  return error instanceof ApiError ? (error.retryAfter ?? 0) : 0;
}

/** A pass was cut because of an edit. Of several failures one such is enough: the others are of an older spec. */
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
 * A refusal that the same request will meet again: the object itself is at fault, or a right or a quota.
 * Worth a person's attention; retried seldom. Of several failures one such is enough.
 */
export function isRefusal(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isRefusal);
  return isApiError(error, 'Invalid', 'Forbidden', 'BadRequest', 'RequestEntityTooLarge', 'MethodNotAllowed');
}

/**
 * A write met a newer state, which the next look will see: it was changed, or is gone, or its namespace is about to be.
 * Of several failures all must be such. Where there is no such kind or namespace, no look at the object helps.
 */
export function isObsolete(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isObsolete);
  if (isNotServed(error) || isHomeless(error)) return false;
  return isApiError(error, 'Conflict', 'NotFound', 'NamespaceTerminating');
}

/** What is not found is the namespace of what was to be written. */
export function isHomeless(error: unknown): error is ApiError {
  return isApiError(error, 'NotFound') && error.missingKind === 'namespaces';
}

/** What is not found is the kind: a list or a watch knows no name that could be missing, and a read would say which. */
export function isNotServed(error: unknown): boolean {
  return isApiError(error, 'NotFound') && error.missing === undefined;
}

/** The server knows the kind, and has no object of this name. A 404 alone says less: a proxy has it for any path. */
export function isWithout(error: unknown, name: string): boolean {
  return isApiError(error, 'NotFound') && error.missing === name;
}

/** There is a newer state than the one that was looked at: the next look sees it. */
export function newer(message: string): ApiError {
  return new ApiError(message, { code: 409, reason: 'Conflict' });
}

/** One line for a person, of whatever was thrown: authors' code and libraries throw anything. */
export function messageOf(error: unknown): string {
  try {
    if (error instanceof Error) return String(error.message);
    return typeof error === 'object' ? JSON.stringify(error) : String(error);
  } catch {
    return 'something that is no Error';
  }
}

/**
 * What an author's code threw, for the status and events too. Of a text that it cannot read the engine quotes some, and it
 * may be that of a Secret: the place in it is told alone.
 */
export function unquoted(error: unknown): string {
  const message = messageOf(error);
  const start = quotesFrom(error);
  if (start < 0) return message;
  const [, place = ''] = / in JSON( at position \d+)/.exec(message.slice(start)) ?? [];
  return `${message.slice(0, start)}a text cannot be read${place}; it is not quoted, for it may be secret`;
}

/** Where in a message the engine quotes a text, its own or in that of another error that took it in, as cdk8s does; or -1. */
function quotesFrom(error: unknown): number {
  return error instanceof SyntaxError ? 0 : messageOf(error).indexOf('SyntaxError: ');
}

/** Where in the code something broke first; what the API server answered broke nowhere here. */
export function stackOf(error: unknown): string | undefined {
  const seen = new Set<unknown>();
  let first: string | undefined;
  try {
    for (let one = error; one instanceof Error && !isApiError(one) && !seen.has(one); one = one.cause) {
      seen.add(one);
      if (one.stack) first = quotesFrom(one) >= 0 ? withoutMessage(one) : String(one.stack);
    }
  } catch {} // what was found until then
  return first;
}

/** The stack of what {@link unquoted} tells no message of. */
function withoutMessage({ name, message, stack = '' }: Error): string {
  const head = `${name}: ${message}`;
  return stack.startsWith(head) ? `${name}${stack.slice(head.length)}` : name;
}
