import { ApiError } from '../runtime/errors.js';
import type { Answer } from './exchange.js';
import { legible } from './legible.js';

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
  return new ApiError(`${what}: ${legible(status.message ?? 'no message')}`, {
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
