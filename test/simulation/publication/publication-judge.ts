import { isDeepStrictEqual } from 'node:util';
import { entriesOf, type OutsideServer } from './outside-servers.js';

/** What a publication promises. */
export class PublicationJudge {
  broken: string | undefined;

  /** A call of the operator was carried out. */
  changed(server: OutsideServer): void {
    const there = entriesOf(server);
    const lost = Object.entries(server.foreign).find(([key, value]) => !isDeepStrictEqual(there[key], value));
    if (lost) this.#found(`a changed record of another owner: ${lost[0]} at ${server.name}`);
  }

  /** All is calm. @param expected the texts of the entries that the publication should have at each server */
  settled(servers: readonly OutsideServer[], expected: (server: OutsideServer) => readonly string[]): void {
    for (const server of servers) {
      const [wanted, own] = [expected(server), ownOf(server)];
      const missing = wanted.filter((text) => !own.includes(text));
      const extra = own.filter((text) => !wanted.includes(text));
      if (missing.length > 0) this.#found(`publishes when all is calm: ${server.name} lacks ${missing[0]}`);
      if (extra.length > 0) this.#found(`a record that is left: ${server.name} still has ${extra[0]}`);
    }
  }

  /** The publication is gone. */
  deleted(servers: readonly OutsideServer[]): void {
    this.settled(servers, () => []);
  }

  finds(what: string): void {
    this.#found(what);
  }

  #found(what: string): void {
    this.broken ??= what;
  }
}

/** The entries of a server that no other owner has, each as a text. */
function ownOf(server: OutsideServer): readonly string[] {
  return Object.entries(entriesOf(server))
    .filter(([key]) => !Object.hasOwn(server.foreign, key))
    .map(([key, value]) => textOf(server, key, value));
}

/** What counts of an entry: names of servers and keys have hashes. */
export function textOf({ type }: OutsideServer, key: string, value: unknown): string {
  if (type === 'dns') return `${key} ${(value as { readonly values: readonly string[] }).values.join(',')}`;
  if (type === 'haproxy') {
    const { address, port, state } = value as Readonly<Record<'address' | 'port' | 'state', unknown>>;
    return `${address}:${port} ${state}`;
  }
  const text = String(value);
  return text.startsWith('{') ? `${key.split('/').slice(0, -1).join('/')} ${JSON.parse(text).host}` : `${key} ${text}`;
}
