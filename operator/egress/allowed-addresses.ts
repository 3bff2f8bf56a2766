import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher, fetch } from 'undici';
import { CallError } from '../runtime/ports/external-call.js';
import { addressRule, refusalOf } from './address-rules.js';

/** How names are resolved. The default is that of Node.js. */
export interface AllowedAddressesOptions {
  /** @default - `lookup` of `node:dns` */
  readonly lookup?: LookupFunction;
}

/** A part of the options of `fetch`. Its own types are newer than those of a project of `cdk8s init`. */
export interface AllowedRequest {
  /** @default 'GET' */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** @default 'follow' */
  readonly redirect?: 'follow' | 'error' | 'manual';
}

/** A part of the response of `fetch`. */
export interface AllowedResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
  json(): Promise<unknown>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Sends requests only to addresses that the operator allows. */
export interface AllowedAddresses {
  /**
   * The URL of an address in a resource.
   * @throws {CallError} `terminal`, if it is no http or https URL, or if the operator does not allow its host
   */
  check(address: string): URL;
  /**
   * `fetch`, with {@link check} for the address and for each redirect, and with a check of each IP address that a name
   * resolves to when it connects. So a name that changes its address later gains nothing.
   * @throws {CallError} if the address is not allowed. Then nothing was sent
   */
  fetch(address: string, init?: AllowedRequest): Promise<AllowedResponse>;
  /**
   * The lookup of a connection that is no HTTP request. It fails if the host leads to an address that is never allowed.
   * @param host a name, or an IP address without brackets, for which a connection calls no lookup
   * @throws {CallError} `terminal`, if the operator does not allow the host
   */
  lookupFor(host: string): LookupFunction;
  /** Closes idle connections. */
  close(): Promise<void>;
}

/** Thrown by a connection that is not opened. */
class AddressError extends Error {
  override readonly name = 'AddressError';
}

/**
 * The addresses that users may write into resources, as the option `--allowed-addresses` lists them. Loopback,
 * link-local, unspecified and multicast addresses and metadata services of clouds are refused, whatever the list has.
 * Without entries every address is refused.
 *
 * @param entries host names, `*.DOMAIN`, IP addresses and networks. A name needs an entry for names
 * @example const addresses = allowedAddresses(config.allowedAddresses);
 * @throws {Error} if an entry is malformed
 */
export function allowedAddresses(
  entries: readonly string[],
  { lookup = resolve as LookupFunction }: AllowedAddressesOptions = {},
): AllowedAddresses {
  const rules = entries.map(addressRule);
  const refusal = (host: string) => hostRefusal(host, (name) => rules.some(({ allows }) => allows(name)));
  const dispatcher = guardedAgent(refusal, lookup);
  const check = (address: string) => {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    const refuse = (why: string) => new CallError('terminal', `address ${JSON.stringify(shown(address))}: ${why}`);
    if (!url || !/^https?:$/.test(url.protocol)) throw refuse('must be an http or https URL');
    if (url.username !== '' || url.password !== '') throw refuse('must not contain a user: name a Secret instead');
    const why = refusal(url.hostname);
    if (why !== undefined) throw refuse(why);
    return url;
  };
  return {
    check,
    lookupFor: (host) => {
      const why = refusal(host.toLowerCase());
      if (why !== undefined) throw new CallError('terminal', `address ${JSON.stringify(host)}: ${why}`);
      return guardedLookup(lookup);
    },
    fetch: async (address, init = {}) => {
      try {
        return await fetch(check(address), { ...init, dispatcher });
      } catch (error) {
        throw withoutEffect(error);
      }
    },
    close: () => dispatcher.close(),
  };
}

/** A connection that was refused sent nothing. Names may resolve to an allowed address later. */
function withoutEffect(error: unknown): unknown {
  const { cause } = error as { readonly cause?: unknown };
  return cause instanceof AddressError ? new CallError('unreachable', cause.message, { mayHaveEffect: false }) : error;
}

/** A user in a URL may be a secret, even in one that is refused. */
function shown(address: string): string {
  return address.replace(/\/\/[^/]*@/, '//…@').slice(0, 200);
}

/** @param hostname as a URL has it: an IP address in its usual form, or a name in lower case */
function hostRefusal(hostname: string, isAllowed: (host: string) => boolean): string | undefined {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  const what = isIP(host) === 0 ? localName(host) : refusalOf(host);
  if (what !== undefined) return `must not be ${what}: ${host} leads to the operator's own machine or network`;
  if (isAllowed(host)) return undefined;
  return `must be allowed by the operator: add ${host} to --allowed-addresses`;
}

function localName(host: string): string | undefined {
  return /^(.*\.)?localhost$/.test(host) ? 'loopback' : undefined;
}

/** An agent that checks the host of each connection, and each address that the host resolves to. */
function guardedAgent(refusal: (host: string) => string | undefined, lookup: LookupFunction): Dispatcher {
  const connector = buildConnector({ lookup: guardedLookup(lookup) });
  return new Agent({
    connect: (options, callback) => {
      const why = refusal(options.hostname);
      if (why === undefined) connector(options, callback);
      else callback(new AddressError(`address ${options.hostname}: ${why}`), null);
    },
  });
}

/**
 * The lookup of a connection to a name that its owner proves, which needs no entry in an allow-list.
 * @param host a name, or an IP address without brackets, for which a connection calls no lookup
 * @throws {CallError} `terminal`, if the host leads to an address that is never allowed
 */
export function publicLookupFor(host: string, lookup: LookupFunction = resolve as LookupFunction): LookupFunction {
  const why = hostRefusal(host.toLowerCase(), () => true);
  if (why !== undefined) throw new CallError('terminal', `address ${JSON.stringify(host)}: ${why}`);
  return guardedLookup(lookup);
}

/** The connection goes to the addresses that this returns, so no later answer can replace them. */
export function guardedLookup(lookup: LookupFunction): LookupFunction {
  return (host, options, callback) =>
    lookup(host, { ...options, all: true }, (error, answer, family) => {
      if (error) return callback(error, '', 0);
      const found = Array.isArray(answer) ? answer : [{ address: answer, family: family ?? isIP(answer) }];
      const bad = found.find(({ address }) => refusalOf(address) !== undefined);
      if (bad) {
        const why = `address ${host}: must not resolve to ${bad.address}, which is ${refusalOf(bad.address)}`;
        return callback(new AddressError(why), '', 0);
      }
      if (options.all) return callback(null, found);
      const [first = { address: '', family: 0 }] = found;
      return callback(null, first.address, first.family);
    });
}
