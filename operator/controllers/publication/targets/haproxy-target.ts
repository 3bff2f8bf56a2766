import { hash } from 'node:crypto';
import type { HaproxyChange, HaproxyServer } from '../ports/haproxy.js';
import type { Draining, TargetReading } from './target-reading.js';

/** An address with the port that a target uses. */
export interface ServingAddress {
  readonly address: string;
  readonly port: number;
}

/** The servers of a backend, as HAProxy has them, and as they should be. */
export interface HaproxyTarget {
  readonly address: string;
  readonly backend: string;
  /** The prefix of the names of the publication's servers. */
  readonly prefix: string;
  readonly wanted: readonly ServingAddress[];
  readonly servers: readonly HaproxyServer[];
  /** What is recorded about servers that get no new sessions. */
  readonly draining: readonly Draining[];
  /** Milliseconds for which a server finishes its sessions. */
  readonly drain: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly mayDelete: boolean;
}

/** The name of the server of an address. */
export function serverName(prefix: string, { address, port }: ServingAddress): string {
  return `${prefix}${hash('sha256', `${address} ${port}`, 'hex').slice(0, 12)}`;
}

/**
 * Reads the servers of a backend. Servers without the prefix are never changed. A server that is no longer wanted gets no
 * new sessions, finishes those that it has for the time of `drain`, and is then deleted.
 */
export function readHaproxy(target: HaproxyTarget): TargetReading {
  const { address, backend, prefix, wanted, servers, now, drain, mayDelete } = target;
  const own = servers.filter(({ name }) => name.startsWith(prefix));
  const byName = new Map(wanted.map((one) => [serverName(prefix, one), one]));
  const unwanted = own.filter(({ name }) => !byName.has(name));
  const draining = unwanted.filter(({ state }) => state !== 'ready').map(({ name }) => drainingSince(name, target));
  const isOver = ({ name }: HaproxyServer) => drainingSince(name, target).since + drain <= now;
  const changes = [
    ...[...byName].flatMap(([name, one]) =>
      servingChanges(
        name,
        one,
        own.find((server) => server.name === name),
      ),
    ),
    ...unwanted.flatMap((server) => endingChanges(server, { isOver: isOver(server), mayDelete })),
  ];
  const due = draining.map(({ since }) => since + drain).filter((at) => at > now);
  return {
    records: own.filter(({ name, state }) => byName.has(name) && state === 'ready').length,
    differences: changes.map(differenceOf),
    ...{ blocked: [], failed: [], held: own.map(({ name }) => name), draining },
    request: changes.length > 0 ? { type: 'haproxy', request: { address, backend, changes } } : undefined,
    nextAt: due.length > 0 ? Math.min(...due) : undefined,
  };
}

function servingChanges(
  name: string,
  { address, port }: ServingAddress,
  live: HaproxyServer | undefined,
): readonly HaproxyChange[] {
  if (live?.state === 'ready') return [];
  const ready: HaproxyChange = { act: 'set', name, state: 'ready' };
  return live ? [ready] : [{ act: 'add', name, address, port }, ready];
}

function endingChanges(
  { name, state, isBusy }: HaproxyServer,
  { isOver, mayDelete }: { readonly isOver: boolean; readonly mayDelete: boolean },
): readonly HaproxyChange[] {
  if (state === 'ready') return [{ act: 'set', name, state: 'drain' }];
  if (!isOver || !mayDelete) return [];
  if (state === 'drain') return [{ act: 'set', name, state: 'maint' }];
  return isBusy ? [] : [{ act: 'delete', name }];
}

function drainingSince(name: string, { draining, now }: HaproxyTarget): Draining {
  const since = draining.find((one) => one.name === name)?.since ?? now;
  // A time in the future is one of a clock that was wrong.
  return { name, since: Math.min(since, now) };
}

function differenceOf(change: HaproxyChange): string {
  if (change.act === 'add') return `add server ${change.name} with ${change.address} and port ${change.port}`;
  return change.act === 'set' ? `set server ${change.name} to ${change.state}` : `delete server ${change.name}`;
}
