import { codeOf, failureOf, isUnsent } from '../../egress/connections.js';
import { CallError, type CallErrorKind } from '../../runtime/ports/external-call.js';

/** Characters of a server's text in a message. */
const longest = 1_000;

/** A refusal of a member: the gRPC code and the words of etcd. */
export interface Refusal {
  readonly code: number;
  readonly message: string;
}

/** What a refusal means, by the words of etcd, which has the same code for many of them. */
const known: Readonly<Record<string, CallErrorKind>> = {
  // While a member with a vote is down, and for 5 seconds after one has started.
  'etcdserver: unhealthy cluster': 'retryable',
  'etcdserver: re-configuration failed due to not enough started members': 'retryable',
  'etcdserver: can only promote a learner member which is in sync with leader': 'retryable',
  'etcdserver: too many learner members in cluster': 'retryable',
  'etcdserver: not leader': 'retryable',
  'etcdserver: rpc not supported for learner': 'retryable',
  'etcdserver: bad leader transferee': 'terminal',
};

const unavailable = 14;
const terminal: ReadonlySet<number> = new Set([3, 5, 9, 12]);
const unauthorized: ReadonlySet<number> = new Set([7, 16]);

/** The failure that a refusal means. What etcd refuses in known words has no effect. */
export function refused({ code, message }: Refusal): CallError {
  const kind = known[message];
  const text = oneLine(message);
  if (kind !== undefined) return new CallError(kind, text, { mayHaveEffect: false });
  if (unauthorized.has(code)) return new CallError('unauthorized', text);
  return new CallError(terminal.has(code) ? 'terminal' : 'retryable', text);
}

/** A response of the gateway as a refusal. A proxy in between has no code. */
export function refusalIn(status: number, text: string): Refusal {
  try {
    const { code, message } = JSON.parse(text) as { readonly code?: unknown; readonly message?: unknown };
    if (typeof code === 'number' && typeof message === 'string') return { code, message };
  } catch {
    // Not JSON.
  }
  return { code: unavailable, message: `answered ${status}: ${text}` };
}

/** Errors of TLS that mean that the member does not accept the client certificate. */
const refusedCertificate = /ALERT|ERR_SSL_(TLSV1|SSLV3)|CERTIFICATE_REQUIRED/;

/**
 * The failure that an error of the connection means.
 * @param where the member, for people
 * @param isChange whether the request would have changed something
 */
export function connectionError(error: unknown, where: string, isChange: boolean): CallError {
  const why = oneLine(failureOf(error));
  const code = codeOf(error);
  if (refusedCertificate.test(code))
    return new CallError('unauthorized', `${where} does not accept the certificate of the operator: ${why}`);
  return new CallError('unreachable', `${where} does not answer: ${why}`, {
    mayHaveEffect: isChange && !isUnsent(error),
  });
}

/** One line of a server's text, because it reaches conditions and logs. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, longest);
}
