import type { AcmeProblem } from '../../controllers/certificates/ports/acme.js';
import { CallError, type CallErrorKind } from '../../runtime/ports/external-call.js';

/** A problem document. @see https://datatracker.ietf.org/doc/html/rfc7807 */
interface ProblemDocument {
  readonly type?: unknown;
  readonly detail?: unknown;
  readonly identifier?: { readonly value?: unknown };
  readonly subproblems?: readonly ProblemDocument[];
}

/** An error response, before it is read. */
export interface ErrorResponse {
  readonly status: number;
  readonly text: string;
  /** The header `Retry-After`. */
  readonly retryAfter?: string | undefined;
}

const namespace = 'urn:ietf:params:acme:error:';

/** Characters. */
const longest = 1_000;

/** Errors after which the same request may succeed, although their HTTP status says otherwise. */
const retryable: readonly string[] = ['badNonce', 'orderNotReady', 'rateLimited', 'serverInternal'];

/** An error response of an ACME server. Its message is the type of the problem and the words of the server. */
export class ProblemError extends CallError {
  constructor(
    readonly status: number,
    /** Undefined if the response is no problem document, such as the page of a proxy. */
    readonly problem: AcmeProblem | undefined,
    kind: CallErrorKind,
    message: string,
    { mayHaveEffect, retryAfter }: CallError,
  ) {
    super(kind, message, { mayHaveEffect, ...(retryAfter !== undefined && { retryAfter }) });
  }

  /** @param now milliseconds since 1970 */
  static fromResponse({ status, text, retryAfter }: ErrorResponse, now: number): ProblemError {
    const problem = problemIn(jsonIn(text));
    const message = problem ? `${problem.type}: ${problem.detail}` : `the server answered ${status}`;
    const isOverloaded = problem?.type === 'rateLimited';
    const meaning = CallError.fromStatus(isOverloaded ? 429 : retryStatus(status, problem), message, retryAfter, now);
    return new ProblemError(status, problem, kindOf(meaning, problem), message, meaning);
  }

  isOfType(type: string): boolean {
    return this.problem?.type === type;
  }
}

/** A problem with this type was not carried out, so it is like 425. */
function retryStatus(status: number, problem: AcmeProblem | undefined): number {
  return problem && status < 500 && retryable.includes(problem.type) ? 425 : status;
}

/**
 * Problem documents are more precise than the status: 403 means that the request is not permitted, whatever the
 * credentials. Only an account that does not exist is a matter of the key.
 */
function kindOf({ kind }: CallError, problem: AcmeProblem | undefined): CallErrorKind {
  if (!problem || kind === 'retryable') return kind;
  return problem.type === 'accountDoesNotExist' ? 'unauthorized' : 'terminal';
}

/** The problem in a part of a response, such as the `error` of a challenge. */
export function problemIn(document: unknown): AcmeProblem | undefined {
  if (typeof document !== 'object' || document === null) return undefined;
  const { type, detail } = document as ProblemDocument;
  if (typeof type !== 'string' && typeof detail !== 'string') return undefined;
  return { type: plain(shortType(type)) || 'unknown', detail: wordsOf(document as ProblemDocument) };
}

function wordsOf({ detail, identifier, subproblems }: ProblemDocument): string {
  const about = typeof identifier?.value === 'string' ? `${identifier.value}: ` : '';
  const parts = Array.isArray(subproblems)
    ? subproblems.map((one) => wordsOf(one ?? {})).filter((one) => one !== '')
    : [];
  const own = typeof detail === 'string' ? detail : '';
  return plain(`${about}${own}${parts.length > 0 ? ` (${parts.join('; ')})` : ''}`);
}

function shortType(type: unknown): string {
  return typeof type === 'string' && type.startsWith(namespace) ? type.slice(namespace.length) : String(type ?? '');
}

/** One line of a server's text, because it reaches conditions and logs. */
export function plain(text: string): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, longest);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
