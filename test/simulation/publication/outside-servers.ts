import type { TargetRequest } from '../../../operator/controllers/publication/targets/target-reading.js';
import { CallError } from '../../../operator/runtime/index.js';
import type { PortModel } from '../../../operator/testing/contract/trial/memory-port.js';
import type { Chance } from '../../../operator/testing/simulation/environment/chance.js';
import { dnsServer, etcdServer, haproxyServer } from '../../operator/controllers/publication/given-publication.js';

type ServerType = 'dns' | 'haproxy' | 'etcd';

/** The entries of a server: records by type and name, servers of a backend by name, or values by key. */
export type Entries = Readonly<Record<string, unknown>>;

/** A server outside of the cluster. */
export interface OutsideServer {
  readonly name: string;
  readonly type: ServerType;
  readonly model: PortModel;
  state: unknown;
  /** Entries of other owners. */
  foreign: Entries;
  isAway: boolean;
}

/** A call on its way to a server. */
export interface SentCall {
  readonly server: OutsideServer;
  readonly request: TargetRequest['request'];
  /** In seconds. Its answer, or the end of the wait for it, comes at the same time. */
  readonly arrives: number;
  readonly isLost: boolean;
}

/** Seconds after which a call is given up. One that has left reaches its server by then, or never. */
const timeout = 10;

const models = { dns: dnsServer, haproxy: haproxyServer, etcd: etcdServer } as const;

/** Servers of three types, two of each. */
export class OutsideServers {
  readonly all: readonly OutsideServer[];
  #calls: readonly SentCall[] = [];

  constructor(
    readonly chance: Chance,
    /** A call of the operator was carried out. */
    readonly changed: (server: OutsideServer) => void,
  ) {
    const server = (type: ServerType, name: string): OutsideServer => {
      const model = models[type]();
      return { name, type, model, state: model.state, foreign: {}, isAway: false };
    };
    this.all = [
      ...[server('dns', '10.0.0.53'), server('dns', '10.0.0.54')],
      ...[server('haproxy', '10.0.0.9:9999'), server('haproxy', '10.0.0.10:9999')],
      ...[server('etcd', 'https://10.0.0.5:2379'), server('etcd', 'https://10.0.0.6:2379')],
    ];
  }

  /** The server of a question or a request. */
  of(asked: object): OutsideServer {
    const { server, address, endpoints } = asked as Readonly<Record<'server' | 'address', string | undefined>> & {
      readonly endpoints?: readonly string[];
    };
    const name = server ?? address ?? endpoints?.[0];
    const found = this.all.find((one) => one.name === name);
    if (!found) throw new Error(`there is no server ${name}`);
    return found;
  }

  /** @throws {Error} if the server is away */
  answer(question: object): unknown {
    const { model, state, isAway } = this.of(question);
    if (isAway) throw new Error('connection refused');
    return model.answer(state as never, question as never);
  }

  send(request: TargetRequest['request'], seconds: number): SentCall {
    const wait = this.chance.happens(0.3) ? this.chance.between(0, timeout) : 0;
    const call = { server: this.of(request), request, arrives: seconds + wait, isLost: this.chance.happens(0.1) };
    this.#calls = [...this.#calls, call];
    return call;
  }

  /** True while any call is on its way, also one of a process that has died. */
  get areCalled(): boolean {
    return this.#calls.length > 0;
  }

  /** Carries out the calls that have arrived. */
  step(seconds: number): void {
    const arrived = this.#calls.filter(({ arrives }) => arrives <= seconds);
    this.#calls = this.#calls.filter((call) => !arrived.includes(call));
    for (const { server, request, isLost } of arrived) {
      if (isLost || server.isAway) continue;
      const before = server.state;
      try {
        server.state = server.model.perform(before as never, request as never);
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
      }
      this.changed(server);
    }
  }

  /** Another owner creates an entry, if nobody has one there. */
  claim(server: OutsideServer, entries: Entries): boolean {
    const there = entriesOf(server);
    const isFree = (key: string) => !Object.keys(there).some((one) => nameIn(one) === nameIn(key));
    if (!Object.keys(entries).every(isFree)) return false;
    server.foreign = { ...server.foreign, ...entries };
    this.#put(server, { ...there, ...entries });
    return true;
  }

  /** Other owners remove what they have. */
  leave(server: OutsideServer): void {
    const kept = Object.entries(entriesOf(server)).filter(([key]) => !Object.hasOwn(server.foreign, key));
    server.foreign = {};
    this.#put(server, Object.fromEntries(kept));
  }

  /** HAProxy restarts with the servers of its configuration, which are those of others. */
  restart(server: OutsideServer): void {
    this.#put(server, server.foreign);
  }

  #put(server: OutsideServer, entries: Entries): void {
    server.state = server.type === 'haproxy' ? Object.values(entries) : entries;
  }
}

/** What a server has. */
export function entriesOf({ type, state }: OutsideServer): Entries {
  if (type !== 'haproxy') return state as Entries;
  return Object.fromEntries((state as readonly { readonly name: string }[]).map((one) => [one.name, one]));
}

/** The name of a record without its type, and any other key as it is. */
function nameIn(key: string): string {
  return key.split(' ').at(-1) ?? key;
}
