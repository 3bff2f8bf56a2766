import { messageOf } from '../../../runtime/kubernetes/errors.js';
import { CallError, type CallErrorKind } from '../../../runtime/ports/external-call.js';

/** Characters. */
const longest = 1_000;

/** What a server says about one thing that it refuses. */
export interface Refusal {
  /** Kafka's name of the error, such as `INVALID_PARTITIONS`. */
  readonly name: string;
  /** The sentence of the server, or the one of the protocol. */
  readonly message: string;
  /** By the protocol, the same request may succeed later. */
  readonly canRetry: boolean;
}

/** Errors after which the same request may succeed, although the protocol does not say so. */
const transient: ReadonlySet<string> = new Set([
  ...['BROKER_NOT_AVAILABLE', 'INELIGIBLE_REPLICA', 'NEW_LEADER_ELECTED', 'NOT_CONTROLLER', 'OPERATION_NOT_ATTEMPTED'],
  ...['REASSIGNMENT_IN_PROGRESS', 'STALE_BROKER_EPOCH', 'THROTTLING_QUOTA_EXCEEDED', 'UNKNOWN_SERVER_ERROR'],
  // Another process has just created it, or the answer that asked for it was old.
  ...['TOPIC_ALREADY_EXISTS', 'UNKNOWN_TOPIC_OR_PARTITION', 'UNKNOWN_TOPIC_ID'],
  // More brokers than those that are registered now are needed: in a new cluster, some start later.
  'INVALID_REPLICATION_FACTOR',
]);

/** Errors after which nothing has changed, so nothing needs to be waited for. */
const withoutEffect: ReadonlySet<string> = new Set([
  ...['NOT_CONTROLLER', 'OPERATION_NOT_ATTEMPTED', 'THROTTLING_QUOTA_EXCEEDED', 'REASSIGNMENT_IN_PROGRESS'],
  'INVALID_REPLICATION_FACTOR',
]);

/** The failure that a refusal means. */
export function refused({ name, message, canRetry }: Refusal): CallError {
  const text = `${plain(message).replace(/[.\s]+$/, '')} (${name})`;
  const kind = kindOf(name, canRetry);
  return new CallError(kind, text, kind === 'retryable' ? { mayHaveEffect: !withoutEffect.has(name) } : {});
}

function kindOf(name: string, canRetry: boolean): CallErrorKind {
  if (name.endsWith('_AUTHORIZATION_FAILED') || name === 'SASL_AUTHENTICATION_FAILED') return 'unauthorized';
  return canRetry || transient.has(name) ? 'retryable' : 'terminal';
}

/** The errors of the client, as far as they are read here. */
interface ClientError {
  readonly code?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
  readonly message?: unknown;
}

/** Errors of TLS that mean that the node does not accept the client certificate. */
const refusedCertificate = /ALERT|ERR_SSL_(TLSV1|SSLV3)|CERTIFICATE_REQUIRED/;

/**
 * The failure that an error of the client means.
 * @param where the node, for people
 * @param isSent false if the request has not left. Then it has no effect
 */
export function callErrorOf(error: unknown, where: string, isSent: boolean): CallError {
  if (error instanceof CallError) return error;
  const [refusal] = refusalsOf(error);
  if (refusal) return refused(refusal);
  const cause = rootOf(error);
  const code = typeof cause.code === 'string' ? cause.code : '';
  const why = plain(messageOf(cause) || code);
  if (refusedCertificate.test(code)) {
    return new CallError('unauthorized', `${where} does not accept the certificate of the operator: ${why}`);
  }
  if (code.startsWith('PLT_KFK_AUTHENTICATION')) return new CallError('unauthorized', `${where}: ${why}`);
  return new CallError('unreachable', `${where} does not answer: ${why}`, { mayHaveEffect: isSent });
}

/** The refusals in an error response. The first one stands for all in a message. */
export function refusalsOf(error: unknown): readonly Refusal[] {
  const { errors } = (error ?? {}) as ClientError;
  return Array.isArray(errors) ? errors.flatMap(refusalIn) : [];
}

function refusalIn(error: unknown): readonly Refusal[] {
  const { apiId, serverErrorMessage, canRetry, message } = (error ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof apiId !== 'string') return [];
  const text = typeof serverErrorMessage === 'string' && serverErrorMessage !== '' ? serverErrorMessage : message;
  return [{ name: apiId, message: String(text ?? ''), canRetry: canRetry === true }];
}

/** The innermost cause: the client wraps the error of the socket. */
function rootOf(error: unknown): ClientError {
  let inner = (error ?? {}) as ClientError;
  while (typeof inner.cause === 'object' && inner.cause !== null) inner = inner.cause as ClientError;
  return inner;
}

/** One line of a server's text, because it reaches conditions and logs. */
function plain(text: string): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, longest);
}
