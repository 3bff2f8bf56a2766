import { ApiError, retryAfterIn } from '../../runtime/kubernetes/errors.js';
import type { Answer } from './exchange.js';

/** @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/status/ */
export interface Status {
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly details?: {
    readonly name?: string;
    /** The plural of the kind of the object. */
    readonly kind?: string;
    readonly retryAfterSeconds?: number;
    readonly causes?: readonly { readonly field?: string; readonly reason?: string }[];
  };
}

/** Seconds. Longer waits are ignored, whatever a proxy writes. */
const longestWait = 300;

/** The reasons by HTTP status code, if the body has none. */
const reasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  410: 'Expired',
  413: 'RequestEntityTooLarge',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** The error of a response with a code of 300 or more. */
export function failureOf(
  request: { readonly method: string; readonly path: string },
  { statusCode, headers, text }: Answer,
): ApiError {
  const status = text === undefined ? { message: 'the explanation exceeds the limit' } : explanationIn(text);
  return failureFrom(status, {
    what: `${request.method} ${request.path.split('?')[0]}`,
    code: statusCode,
    retryAfterSeconds: secondsOf(headers['retry-after'], headers['date']),
  });
}

/** The delay of a Retry-After header. A date is compared with the server's own clock, if there is a Date header. */
function secondsOf(header: string | string[] | undefined, date: string | string[] | undefined): number | undefined {
  return typeof header === 'string' ? retryAfterIn(header, Date.parse(String(date))) : undefined;
}

/** The error of a Status, in a response or in a watch. */
export function failureFrom(
  status: Status,
  { what, code, retryAfterSeconds }: { what: string; code: number; retryAfterSeconds?: number | undefined },
): ApiError {
  const seconds = retryAfterSeconds ?? status.details?.retryAfterSeconds;
  const { name: missing, kind: missingKind } = (status.reason === 'NotFound' && status.details) || {};
  const isUnfit = code === 500 && isOfNoType(status);
  return new ApiError(`${what}: ${statusMessage(status.message ?? 'no message')}`, {
    code: isUnfit ? 400 : code,
    reason: isUnfit ? 'BadRequest' : (particular(status) ?? (status.reason || (reasons[code] ?? 'Unknown'))),
    fields: [...new Set(status.details?.causes?.flatMap(({ field }) => field ?? []))],
    ...(missing && { missing, ...(missingKind && { missingKind }) }),
    ...(seconds !== undefined && { retryAfter: Math.min(seconds, longestWait) * 1000 }),
  });
}

/** A more specific reason than that of the Status. */
function particular(status: Status): string | undefined {
  if (isOfAnother(status)) return 'Conflict';
  return status.details?.causes?.find(({ reason }) => reason === 'NamespaceTerminating')?.reason;
}

/**
 * The requested UID is not that of the object. This is a failed precondition, although the API server reports an
 * invalid object.
 */
function isOfAnother({ reason, details }: Status): boolean {
  return reason === 'Invalid' && (details?.causes?.some(({ field }) => field === 'metadata.uid') ?? false);
}

/**
 * The applied object does not fit its kind: two items with the same key, or an unknown field. The API server reports
 * this as its own failure.
 */
function isOfNoType({ message = '' }: Status): boolean {
  return message.startsWith('failed to create typed patch object');
}

function explanationIn(text: string): Status {
  return parsed(text) ?? { message: text.slice(0, 200).trim() || 'no further explanation' };
}

function parsed(text: string): Status | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'message' in value ? (value as Status) : undefined;
  } catch {
    return undefined; // a proxy's page, or nothing
  }
}

/** The text before a value that the server repeats. */
const repeatedValue = /\b(?:Invalid|Unsupported|Duplicate) value: (?=["[{]|&?[\w.*]+[[{])/g;

/**
 * Where the server shows a difference, or prints a value in Go syntax that it could not read. Everything after it is
 * values. The pattern before it contains a single newline, because a search with many possible starts would scan the
 * rest for each.
 */
const restOfValues = /\n[^\S\n]*(?:@@ |&?\w+\.\w+\{)|, got &|duplicate entries for key \[="/;

/**
 * The number of characters that are scanned. It is larger than an object, so that the error after the object is found.
 */
const mostRead = 2 * 1024 ** 2;
/** The number of characters that are reported. */
const longestMessage = 32_768;

/** Where one Go value ends and another part of it starts: `[]core.EnvVar{`, `interface {}{`. */
const goesOn = /^[\w.*& ]*[[{]/;

/**
 * Removes the objects that a server repeats in its message: the error follows them, and they may hold secrets. They are
 * JSON, JSON in a string, or Go syntax. A message that is still long is truncated, because it is reported and logged at
 * each try.
 */
function statusMessage(message: string): string {
  const read = message.slice(0, mostRead);
  const text = withoutObjects(read);
  const more = message.length - read.length + Math.max(0, text.length - longestMessage);
  return more === 0 ? text : `${text.slice(0, longestMessage)}… and ${more} characters more`;
}

function withoutObjects(message: string): string {
  const end = message.search(restOfValues);
  const whole = end < 0 ? message : message.slice(0, end);
  const told: string[] = [];
  let from = 0;
  for (const { 0: before, index } of whole.matchAll(repeatedValue)) {
    const start = index + before.length;
    const after = index < from ? undefined : endOfObject(whole, start);
    if (after === undefined) continue;
    told.push(whole.slice(from, start - ': '.length));
    from = after;
  }
  return told.join('') + whole.slice(from);
}

/** Where the object ends: the end of the message if it is truncated, undefined for plain text. */
function endOfObject(message: string, start: number): number | undefined {
  if (message[start] === '"')
    return /^"\s*[[{]/.test(message.slice(start, start + 20)) ? endOfText(message, start) : undefined;
  let depth = 0;
  for (let at = start; at < message.length; at++) {
    const sign = message[at];
    if (sign === '"' || sign === '`') at = endOfText(message, at) - 1;
    else if (sign === '{' || sign === '[') depth++;
    else if ((sign === '}' || sign === ']') && --depth === 0 && !goesOn.test(message.slice(at + 1, at + 200)))
      return at + 1;
  }
  return message.length;
}

/** Where a quoted string ends. */
function endOfText(message: string, start: number): number {
  const quote = message[start];
  for (let at = start + 1; at < message.length; at++) {
    if (message[at] === quote) return at + 1;
    if (message[at] === '\\' && quote === '"') at++;
  }
  return message.length;
}
