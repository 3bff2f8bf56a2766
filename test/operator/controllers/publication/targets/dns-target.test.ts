import { describe, expect, it, test } from 'vitest';
import { rrsetsFor, rrsetsIn } from '../../../../../operator/controllers/publication/targets/dns-rrsets.js';
import { type DnsTarget, readDns } from '../../../../../operator/controllers/publication/targets/dns-target.js';
import type { WantedRecords } from '../../../../../operator/controllers/publication/targets/wanted-records.js';

const zone = 'corp.example.com';
const name = 'billing.corp.example.com';
const ours = 'heritage=reconstruct,reconstruct/owner=1,reconstruct/resource=servicepublication/shop/billing';
const theirs = 'heritage=external-dns,external-dns/owner=default,external-dns/resource=service/shop/billing';
const a: WantedRecords = { name, type: 'A', values: ['10.1.0.1', '10.1.0.2'] };
const alias: WantedRecords = { name, type: 'CNAME', values: ['lb.example.net'] };

type Zone = Readonly<Record<string, readonly string[]>>;

function read(wanted: readonly WantedRecords[], live: Zone, more: Partial<DnsTarget> = {}) {
  const names = [...new Set([name, ...wanted.map((one) => one.name)])];
  const asked = rrsetsFor(names, zone);
  const rrsets = asked.map((one) => {
    const values = live[`${one.type} ${one.name}`] ?? [];
    return values.length > 0 ? { values, ttl: 30 } : { values };
  });
  return readDns({
    ...{ server: '10.0.0.53', port: 53, zone, ttl: 30, owner: ours, mayDelete: true },
    ...{ wanted, names, rrsets: rrsetsIn({ rrsets }, asked), ...more },
  });
}

const updates = (reading: ReturnType<typeof read>) =>
  reading.request?.type === 'dns' ? reading.request.request.updates : [];
const owner = { require: 'yxrrset', name: `a-${name}`, type: 'TXT', values: [ours] };
const owned: Zone = { [`A ${name}`]: a.values, [`TXT a-${name}`]: [ours] };

describe('a name without records', () => {
  it('is claimed together with its owner, if the server finds no owner', () => {
    expect(updates(read([a], {}))).toEqual([
      {
        requires: [
          { require: 'nxrrset', name: `a-${name}`, type: 'TXT' },
          { require: 'nxrrset', name, type: 'A' },
          { require: 'nxrrset', name, type: 'CNAME' },
        ],
        changes: [
          { action: 'set', name, type: 'A', ttl: 30, values: a.values },
          { action: 'set', name: `a-${name}`, type: 'TXT', ttl: 30, values: [ours] },
        ],
      },
    ]);
  });

  it('gets a CNAME only if the server finds nothing else there', () => {
    expect(updates(read([alias], {}))[0]?.requires).toContainEqual({ require: 'nxdomain', name });
  });

  it('is claimed, although a wildcard answers for it', () => {
    const live = { [`A *.${zone}`]: ['10.9.9.9'], [`A ${name}`]: ['10.9.9.9'], [`TXT a-${name}`]: ['v=spf1 -all'] };
    expect(read([a], live).blocked).toEqual([]);
    expect(updates(read([a], live))).toHaveLength(1);
  });
});

describe('a name of the publication', () => {
  it('needs no change while it has its records', () => {
    expect(read([a], owned)).toMatchObject({ request: undefined, records: 2, held: [name] });
  });

  test.each<[what: string, wanted: readonly WantedRecords[], more: Partial<DnsTarget>]>([
    ['another address', [{ ...a, values: ['10.1.0.3'] }], {}],
    ['another TTL', [a], { ttl: 60 }],
  ])('is changed for %s, if the server finds the owner there', (_, wanted, more) => {
    const [update] = updates(read(wanted, owned, more));
    expect(update?.requires).toEqual([owner]);
    expect(update?.changes[0]).toMatchObject({ action: 'set', type: 'A', values: wanted[0]?.values });
  });

  it('is removed with its owner', () => {
    const [update] = updates(read([], owned));
    expect(update).toEqual({
      requires: [owner],
      changes: [
        { action: 'set', name, type: 'A', ttl: 30, values: [] },
        { action: 'set', name: `a-${name}`, type: 'TXT', ttl: 30, values: [] },
      ],
    });
  });

  it('is not removed if nothing may be deleted', () => {
    expect(updates(read([], owned, { mayDelete: false }))).toEqual([]);
  });

  it('becomes a CNAME in one update, which removes the addresses first', () => {
    const [update] = updates(read([alias], owned));
    expect(update?.changes.map(({ type, values }) => [type, values])).toEqual([
      ['A', []],
      ['TXT', []],
      ['CNAME', alias.values],
      ['TXT', [ours]],
    ]);
    expect(update?.requires).toContainEqual(owner);
    expect(update?.requires).not.toContainEqual({ require: 'nxdomain', name });
  });

  it('is replaced by another type even if nothing may be deleted otherwise', () => {
    expect(updates(read([alias], owned, { mayDelete: false }))[0]?.changes).toHaveLength(4);
  });
});

describe('a name of another owner', () => {
  const foreign: Zone = { [`A ${name}`]: ['10.5.0.1'], [`TXT a-${name}`]: [theirs] };
  test.each<[what: string, live: Zone, blocked: string]>([
    ['its owner', foreign, `A ${name} belongs to "${theirs}"`],
    ['records without an owner', { [`A ${name}`]: ['10.5.0.1'] }, `A ${name} has 10.5.0.1 without an owner record`],
    ['a CNAME', { [`CNAME ${name}`]: ['x.example.net'] }, `CNAME ${name} has x.example.net without an owner record`],
  ])('is never changed, and the message has %s', (_, live, blocked) => {
    expect(read([a], live)).toMatchObject({ blocked: [blocked], request: undefined });
    expect(read([], live)).toMatchObject({ request: undefined, held: [] });
  });

  it('gets no CNAME', () => {
    expect(read([alias], { [`A ${name}`]: ['10.5.0.1'] }).blocked).toHaveLength(1);
  });

  it('does not hold up the records of another type', () => {
    const aaaa: WantedRecords = { name, type: 'AAAA', values: ['fd00::1'] };
    const reading = read([a, aaaa], foreign);
    expect(reading.blocked).toHaveLength(1);
    expect(updates(reading)[0]?.changes.map(({ type }) => type)).toEqual(['AAAA', 'TXT']);
  });

  it('is taken over if a person names the exact owner', () => {
    expect(updates(read([a], foreign, { takeOver: theirs }))[0]?.requires).toEqual([{ ...owner, values: [theirs] }]);
    expect(updates(read([a], foreign, { takeOver: `${theirs} ` }))).toEqual([]);
    expect(updates(read([a], foreign, { takeOver: 'unowned' }))).toEqual([]);
  });

  it('is taken over without an owner if a person says so', () => {
    const [update] = updates(read([a], { [`A ${name}`]: ['10.5.0.1'] }, { takeOver: 'unowned' }));
    expect(update?.requires).toEqual([{ require: 'nxrrset', name: `a-${name}`, type: 'TXT' }]);
  });

  it('that two owners claim belongs to neither', () => {
    const both = { ...owned, [`TXT a-${name}`]: [ours, theirs] };
    expect(read([a], both)).toMatchObject({ request: undefined, held: [] });
  });
});

describe('many names', () => {
  it('become an update each, so that one of another owner holds up itself alone', () => {
    const other = { ...a, name: `orders.${zone}` };
    const reading = read([a, other], { [`A ${name}`]: ['10.5.0.1'] });
    expect(reading.blocked).toHaveLength(1);
    expect(updates(reading).map(({ changes }) => changes[0]?.name)).toEqual([other.name]);
  });
});
