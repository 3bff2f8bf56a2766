import { isIP, type LookupFunction } from 'node:net';
import { Agent } from 'undici';
import { messageOf } from '../runtime/kubernetes/errors.js';

/**
 * The lookup of a connection to a host. It must not resolve to an address that users must not reach through the operator, and
 * throws at once if the host is such an address.
 */
export type HostLookup = (host: string) => LookupFunction;

/** An agent whose connections go only where the lookup permits. Close it after use. */
export function agentFor(
  lookupOf: HostLookup,
  { connect, ...options }: Agent.Options & { readonly connect?: object } = {},
): Agent {
  const lookup: LookupFunction = (host, of, callback) => lookupOf(host)(host, of, callback);
  return new Agent({ ...options, connect: { ...connect, lookup } });
}

/**
 * Checks the host of a URL that is an address, for which a connection looks nothing up.
 * @throws what the lookup throws
 */
export function checkAddress({ hostname }: URL, lookupOf: HostLookup): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) lookupOf(host);
}

/**
 * Why a connection failed. An error of several attempts has no message, only a code. Where the CA of a server is not trusted,
 * Node.js also advises a flag of its own, which is of no use to those who read this.
 */
export function failureOf(error: unknown): string {
  const message = messageOf(error) || String((error as { readonly code?: unknown }).code);
  return message.replace(/; if the root CA is installed locally,.*$/s, '');
}

/** Errors that prove that nothing was sent: no connection, or no handshake. */
const notConnected =
  /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO_)/;

/** Whether a connection failed before the request was sent. */
export function isUnsent(error: unknown): boolean {
  return notConnected.test(codeOf(error));
}

/** The code of an error of a connection, or of its cause. Empty if there is none. */
export function codeOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { readonly code?: unknown; readonly cause?: unknown };
  return typeof code === 'string' ? code : cause === undefined ? '' : codeOf(cause);
}
