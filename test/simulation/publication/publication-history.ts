import type { ServicePublicationResource } from '../../../imports/index.js';
import { Chance } from '../../../operator/testing/simulation/environment/chance.js';
import { dns, givenPublication, owner } from '../../operator/controllers/publication/given-publication.js';
import type { PlanHistory } from '../plan-history.js';
import { entriesOf, type OutsideServer, OutsideServers } from './outside-servers.js';
import { type Kept, PlannedPublication } from './planned-publication.js';
import { PublicationJudge } from './publication-judge.js';

type Targets = ServicePublicationResource['spec']['targets'];

const start = Date.parse('2030-01-01T00:00:00Z');
/** Seconds within which everything is published, or withdrawn, when all is calm. */
const patience = 120;
const names = ['billing', 'invoices', 'shop'];
const keys = ['/skydns/com/example/billing', '/skydns/com/example/shop'];
const ownerOfOthers = 'heritage=external-dns,external-dns/owner=others';

/** Plays one history of a publication. Equal for equal seeds. */
export function publicationHistory(seed: number): PlanHistory {
  const play = new Play(new Chance(`publication/${seed}`));
  play.all();
  return { lines: play.lines, broken: play.judge.broken };
}

class Play {
  readonly lines: string[] = [];
  readonly judge = new PublicationJudge();
  readonly servers: OutsideServers;
  readonly kept: Kept;
  #operator: PlannedPublication;
  #seconds = 0;

  constructor(readonly chance: Chance) {
    this.servers = new OutsideServers(chance.fork('servers'), (server) => this.judge.changed(server));
    this.kept = { resource: givenPublication({ targets: this.#targets() }), addresses: ['10.1.0.1'], isGone: false };
    this.#operator = this.#newOperator();
  }

  all(): void {
    for (let left = Math.floor(this.chance.spread(60, 600)); left > 0 && !this.judge.broken; left--) {
      this.#user();
      this.#others();
      this.#fault();
      this.#step();
    }
    this.#calm();
    this.#wait(() => false);
    this.judge.settled(this.servers.all, (server) => this.#expected(server));
    this.#say('user', 'deletes the publication');
    const { resource } = this.kept;
    const metadata = { ...resource.metadata, deletionTimestamp: '2030-01-01T01:00:00Z' };
    this.kept.resource = { ...resource, metadata };
    this.#wait(() => this.kept.isGone);
    if (!this.kept.isGone) this.judge.finds('is deleted when all is calm: it still exists');
    this.judge.deleted(this.servers.all);
  }

  #calm(): void {
    this.#say('-', 'no more faults');
    for (const server of this.servers.all) server.isAway = false;
  }

  #wait(isOver: () => boolean): void {
    for (let left = patience; left > 0 && !this.judge.broken && !isOver(); left--) this.#step();
  }

  #say(who: string, what: string): void {
    this.lines.push(`${String(this.#seconds).padStart(5)} ${who.padEnd(8)} ${what}`);
  }

  #newOperator(): PlannedPublication {
    return new PlannedPublication({
      ...{ kept: this.kept, servers: this.servers, chance: this.chance },
      ...{ now: () => start + this.#seconds * 1_000, say: (what) => this.#say('operator', what) },
    });
  }

  #step(): void {
    this.#seconds++;
    this.servers.step(start / 1_000 + this.#seconds);
    this.#operator.poll();
    for (let acts = Math.floor(this.chance.between(0, 4)); acts > 0; acts--) {
      if (this.#operator.act()) continue;
      this.#say('operator', 'dies after a write');
      this.#operator = this.#newOperator();
    }
  }

  #targets(): Targets {
    const { chance } = this;
    const named = names
      .filter(() => chance.happens(0.6))
      .map((name) => ({ dns: { ...dns, name, server: this.#pick('dns') } }));
    const backend = { address: this.#pick('haproxy'), backend: 'billing' };
    const etcd = { endpoints: [this.#pick('etcd')], key: chance.pick(keys), ttl: '30s' };
    const others = [...(chance.happens(0.5) ? [{ haproxy: backend }] : []), ...(chance.happens(0.5) ? [{ etcd }] : [])];
    const all = [...named, ...others];
    return (all.length > 0 ? all : [{ haproxy: backend }]) as unknown as Targets;
  }

  #pick(type: OutsideServer['type']): string {
    const of = [...['10.0.0.53', '10.0.0.54'], ...['10.0.0.9:9999', '10.0.0.10:9999']];
    if (type === 'dns') return this.chance.pick(of.slice(0, 2));
    if (type === 'haproxy') return this.chance.pick(of.slice(2));
    return this.chance.pick(['https://10.0.0.5:2379', 'https://10.0.0.6:2379']);
  }

  #user(): void {
    const { chance, kept } = this;
    if (chance.happens(0.03)) {
      const { spec } = givenPublication({ targets: this.#targets(), drain: chance.pick(['0s', '20s']) });
      kept.resource = { ...kept.resource, spec };
      this.#say('user', `wants ${JSON.stringify(spec.targets)}`);
    }
    if (chance.happens(0.05)) {
      kept.addresses = ['10.1.0.1', '10.1.0.2', '10.1.0.3'].filter(() => chance.happens(0.5));
      this.#say('user', `has ${kept.addresses.join(', ') || 'no addresses'}`);
    }
  }

  #others(): void {
    const { chance, servers } = this;
    if (!chance.happens(0.1)) return;
    const server = chance.pick(servers.all);
    if (chance.happens(0.4)) {
      servers.leave(server);
      this.#say('others', `leave ${server.name}`);
    } else if (servers.claim(server, this.#entriesOfOthers(server))) this.#say('others', `write to ${server.name}`);
  }

  /** Records with and without an owner, a server of the configuration, or keys. */
  #entriesOfOthers({ type }: OutsideServer): Readonly<Record<string, unknown>> {
    const { chance } = this;
    const name = `${chance.pick(names)}.${dns.zone}`;
    const key = chance.pick(keys);
    const record = { values: ['192.0.2.1'], ttl: 60 };
    if (type === 'haproxy')
      return { web1: { name: 'web1', address: '10.9.0.1', port: 80, state: 'ready', isDown: false, isBusy: false } };
    const ownerKey = `/reconstruct.dev/owners${key}`;
    if (type === 'etcd') return { [chance.pick([ownerKey, `${key}/api`])]: ownerOfOthers };
    const owned = { [`A ${name}`]: record, [`TXT a-${name}`]: { values: [ownerOfOthers], ttl: 60 } };
    return chance.pick([
      { [`A ${name}`]: record },
      owned,
      { [`CNAME ${name}`]: { values: ['web.example.org'], ttl: 60 } },
    ]);
  }

  #fault(): void {
    const { chance, servers } = this;
    if (chance.happens(0.03)) {
      this.#say('operator', 'dies');
      this.#operator = this.#newOperator();
    }
    for (const server of servers.all) {
      if (!chance.happens(server.isAway ? 0.1 : 0.01)) continue;
      server.isAway = !server.isAway;
      this.#say('fault', `${server.name} is ${server.isAway ? 'away' : 'back'}`);
      if (server.type === 'haproxy' && !server.isAway) servers.restart(server);
    }
  }

  /** What the publication should have at a server. */
  #expected(server: OutsideServer): readonly string[] {
    const { spec, status } = this.kept.resource;
    const addresses = (status?.subsets ?? []).flatMap((subset) => subset.addresses).toSorted();
    const there = Object.keys(entriesOf(server)).filter((key) => Object.hasOwn(server.foreign, key));
    return spec.targets.flatMap((target) => {
      if (addresses.length === 0) return [];
      if (target.dns?.server === server.name) {
        const name = `${target.dns.name}.${dns.zone}`;
        if (there.some((key) => key.endsWith(` ${name}`))) return [];
        return [`A ${name} ${addresses.join(',')}`, `TXT a-${name} ${owner}`];
      }
      if (target.haproxy?.address === server.name) return addresses.map((address) => `${address}:8080 ready`);
      const { endpoints: [endpoint] = [], key = '' } = target.etcd ?? {};
      const ownerKey = `/reconstruct.dev/owners${key}`;
      if (endpoint !== server.name || there.includes(ownerKey)) return [];
      return [`${ownerKey} ${owner}`, ...addresses.map((address) => `${key} ${address}`)];
    });
  }
}
