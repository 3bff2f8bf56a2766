import type { Port } from '../../../runtime/index.js';

/** A backend of a running HAProxy. */
export interface HaproxyQuestion {
  /** Host and port where HAProxy's `stats socket` listens, such as `10.0.0.9:9999` or `[2001:db8::9]:9999`. */
  readonly address: string;
  readonly backend: string;
}

/**
 * Whether a server gets traffic. `ready`: it does. `drain`: it gets no new sessions, except those that persistence binds to
 * it. `maint`: it gets none at all.
 */
export type HaproxyState = 'ready' | 'drain' | 'maint';

/** A server of a backend. */
export interface HaproxyServer {
  readonly name: string;
  /** An IP address without brackets. Empty if the server has a host name that does not resolve. */
  readonly address: string;
  readonly port: number;
  /** What was set last through the runtime API or in the configuration. */
  readonly state: HaproxyState;
  /** Whether a health check of HAProxy reports it down. Always false without health checks. */
  readonly isDown: boolean;
  /** Whether it is in the state `maint` and still has connections. HAProxy deletes it only without. */
  readonly isBusy: boolean;
}

/** All servers of the backend, by name. Servers of the configuration are among them. */
export interface HaproxyAnswer {
  readonly servers: readonly HaproxyServer[];
}

/** A change of one server. The same change a second time changes nothing. */
export type HaproxyChange =
  /** Adds a server in the state `maint`. Its address must be an IP address. */
  | { readonly act: 'add'; readonly name: string; readonly address: string; readonly port: number }
  | { readonly act: 'set'; readonly name: string; readonly state: HaproxyState }
  /** Deletes a server, which must be in the state `maint` and not be busy. */
  | { readonly act: 'delete'; readonly name: string };

/** Changes of servers, in their order. One that HAProxy refuses does not prevent the others. */
export interface HaproxyRequest extends HaproxyQuestion {
  readonly changes: readonly HaproxyChange[];
}

/**
 * Servers of HAProxy backends, through the runtime API. HAProxy forgets at its restart what was changed here. The call fails
 * if HAProxy refused a change. The message has its words.
 * @see https://docs.haproxy.org/2.6/management.html#9.3
 */
export const haproxy: Port<HaproxyQuestion, HaproxyAnswer, HaproxyRequest> = {
  name: 'reconstruct/haproxy',
  visibleWithin: 0,
};
