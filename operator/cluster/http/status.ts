import { ApiError } from '../../runtime/kubernetes/errors.js';
import type { Answer } from './exchange.js';

/** @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/status/ */
export interface Status {
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly details?: {
    readonly name?: string;
    /** The plural of what it is about. */
    readonly kind?: string;
    readonly retryAfterSeconds?: number;
    readonly causes?: readonly { readonly field?: string; readonly reason?: string }[];
  };
}

/** Seconds: nobody is asked to wait longer, whatever a proxy writes. */
const longestWait = 300;

/** What HTTP says where the body says no more. */
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

/** The failure that an answer of 300 and more tells. */
export function failureOf(
  request: { readonly method: string; readonly path: string },
  { statusCode, headers, text }: Answer,
): ApiError {
  const status = text === undefined ? { message: 'the explanation is too long to be read' } : explanationIn(text);
  return failureFrom(status, {
    what: `${request.method} ${request.path.split('?')[0]}`,
    code: statusCode,
    retryAfterSeconds: secondsOf(headers['retry-after'], headers['date']),
  });
}

/**
 * The wait that a Retry-After header asks for, which is a number of seconds or a time. A time is the server's: it is
 * compared with the server's own clock, where that is told.
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-retry-after
 */
function secondsOf(header: string | string[] | undefined, date: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string' || header === '') return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.parse(String(date))) / 1000;
  return seconds >= 0 ? seconds : undefined;
}

/** The failure that a Status tells, in an answer or in the middle of a watch. */
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

/** What a Status means where its reason says less. */
function particular(status: Status): string | undefined {
  if (isOfAnother(status)) return 'Conflict';
  return status.details?.causes?.find(({ reason }) => reason === 'NamespaceTerminating')?.reason;
}

/** The UID that was asked for is not that of the object: a precondition failed, though the API calls the object invalid. */
function isOfAnother({ reason, details }: Status): boolean {
  return reason === 'Invalid' && (details?.causes?.some(({ field }) => field === 'metadata.uid') ?? false);
}

/** What was applied does not fit its kind: two items of one key, a field that there is not. The API calls that its own failure. */
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

/** What comes before a value that the server repeats. */
const repeatedValue = /\b(?:Invalid|Unsupported|Duplicate) value: (?=["[{]|&?[\w.*]+[[{])/g;

/**
 * Where it shows what differs, or prints as Go does what it could not read: the rest is values. What is before it has one
 * line end: a search that may begin at any of many goes through all of them each time.
 */
const restOfValues = /\n[^\S\n]*(?:@@ |&?\w+\.\w+\{)|, got &|duplicate entries for key \[="/;

/** Characters that are looked at: more than an object has, so that what is wrong, which comes after it, is found. */
const mostRead = 2 * 1024 ** 2;
/** Characters that are told. */
const longestMessage = 32_768;

/** Where one value of Go ends and another part of the same begins: `[]core.EnvVar{`, `interface {}{`. */
const goesOn = /^[\w.*& ]*[[{]/;

/**
 * What a server says, without the objects that it repeats in it: what is wrong comes after them, and they may hold secrets.
 * They are JSON, JSON in a text, or as Go prints them. What is still long is cut: it is told and logged at each try.
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

/** Where it ends; the end of all where it was cut; undefined of a plain text. */
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

/** Where a quoted text ends. */
function endOfText(message: string, start: number): number {
  const quote = message[start];
  for (let at = start + 1; at < message.length; at++) {
    if (message[at] === quote) return at + 1;
    if (message[at] === '\\' && quote === '"') at++;
  }
  return message.length;
}
