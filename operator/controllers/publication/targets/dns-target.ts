import type { NamesUpdate } from '../../../dns/dns-names.js';
import type { Prerequisite, RecordChange } from '../../../dns/dns-records.js';
import { isOwner } from '../names/owner.js';
import { ownerName } from '../names/record-names.js';
import { ownRecords, type PublishedType, type Rrsets, typesOf } from './dns-rrsets.js';
import { type Permission, type TargetReading, unowned } from './target-reading.js';
import type { WantedRecords } from './wanted-records.js';

/** Names of a zone, as a server has them, and as they should be. */
export interface DnsTarget extends Permission {
  readonly server: string;
  readonly port: number;
  readonly zone: string;
  /** Seconds. */
  readonly ttl: number;
  /** The value of the owner records. */
  readonly owner: string;
  readonly wanted: readonly WantedRecords[];
  /** The names to judge: the wanted ones, and those that the publication may have written earlier. */
  readonly names: readonly string[];
  readonly rrsets: Rrsets;
}

type Owner =
  | { readonly is: 'nobody' }
  | { readonly is: 'ours' }
  /** `mayTake`: a person lets the publication take the records over. */
  | { readonly is: 'foreign'; readonly value: string; readonly mayTake: boolean };

interface Rrset {
  readonly name: string;
  readonly type: PublishedType;
  readonly ownerName: string;
  readonly owner: Owner;
  readonly live: readonly string[];
  readonly ttl: number | undefined;
  readonly wanted: readonly string[];
}

interface NameReading {
  readonly update?: NamesUpdate | undefined;
  readonly blocked: readonly string[];
  readonly differences: readonly string[];
  readonly records: number;
  readonly isHeld: boolean;
}

/**
 * Reads the names of a zone. Each name becomes one update, which the server applies whole or not. Its prerequisites prove the
 * owner in the server, so that records of others are never touched.
 */
export function readDns(target: DnsTarget): TargetReading {
  const all = target.names.map((name) => ({ name, ...readName(name, target) }));
  const updates = all.flatMap(({ update }) => update ?? []);
  const { server, port, zone } = target;
  return {
    records: all.reduce((sum, { records }) => sum + records, 0),
    differences: all.flatMap(({ differences }) => differences),
    blocked: all.flatMap(({ blocked }) => blocked),
    failed: [],
    held: all.filter(({ isHeld }) => isHeld).map(({ name }) => name),
    request: updates.length > 0 ? { type: 'dns', request: { server, port, zone, updates } } : undefined,
  };
}

function readName(name: string, target: DnsTarget): NameReading {
  const rrsets = typesOf(name).map((type) => rrsetOf(name, type, target));
  const isAlias = rrsets.some(({ type, wanted }) => type === 'CNAME' && wanted.length > 0);
  const isWanted = rrsets.some(({ wanted }) => wanted.length > 0);
  const obstacles = isWanted ? rrsets.filter((one) => isObstacle(one, isAlias) && !mayReplace(one, target)) : [];
  // The records of one name depend on one another if one of them is a CNAME.
  const free = obstacles.length > 0 ? [] : rrsets;
  const blocked =
    obstacles.length > 0 ? obstacles : free.filter((one) => one.wanted.length > 0 && isBlocked(one, target));
  const changes = free.flatMap((one) => changeOf(one, rrsets, target) ?? []);
  const ours = rrsets.filter(({ owner }) => owner.is === 'ours');
  return {
    update: changes.length > 0 ? updateOf(changes) : undefined,
    blocked: blocked.map(blockedBy),
    differences: changes.map(({ difference }) => difference),
    records: ours.reduce((sum, { live }) => sum + live.length, 0),
    isHeld: ours.length > 0,
  };
}

function rrsetOf(name: string, type: PublishedType, target: DnsTarget): Rrset {
  const { zone, rrsets, wanted } = target;
  const txt = ownerName(name, type, zone);
  const { values, ttl } = ownRecords(rrsets, { name, type, zone });
  return {
    ...{ name, type, ownerName: txt, live: values, ttl },
    owner: ownerIn(rrsets(txt, 'TXT').values, target),
    wanted: wanted.find((one) => one.name === name && one.type === type)?.values ?? [],
  };
}

function ownerIn(values: readonly string[], { owner, takeOver }: DnsTarget): Owner {
  const owners = values.filter(isOwner);
  const [value] = owners;
  if (value === undefined) return { is: 'nobody' };
  if (value === owner && owners.length === 1) return { is: 'ours' };
  return { is: 'foreign', value: owners.join(' and '), mayTake: owners.length === 1 && value === takeOver };
}

/** Whether records prevent a CNAME, or a CNAME prevents records. */
function isObstacle({ type, live, wanted }: Rrset, isAlias: boolean): boolean {
  return live.length > 0 && wanted.length === 0 && (isAlias || type === 'CNAME');
}

function mayReplace({ owner }: Rrset, { takeOver }: Permission): boolean {
  if (owner.is === 'nobody') return takeOver === unowned;
  return owner.is === 'ours' || owner.mayTake;
}

function isBlocked(rrset: Rrset, target: Permission): boolean {
  return !mayReplace(rrset, target) && (rrset.owner.is === 'foreign' || rrset.live.length > 0);
}

function blockedBy({ name, type, owner, live }: Rrset): string {
  if (owner.is === 'foreign') return `${type} ${name} belongs to "${owner.value}"`;
  return `${type} ${name} has ${live.slice(0, 3).join(', ')} without an owner record`;
}

interface RrsetChange {
  readonly requires: readonly Prerequisite[];
  readonly changes: readonly RecordChange[];
  readonly isDeletion: boolean;
  readonly difference: string;
}

function changeOf(rrset: Rrset, all: readonly Rrset[], target: DnsTarget): RrsetChange | undefined {
  const { live, ttl, wanted, owner } = rrset;
  if (wanted.length > 0 && isBlocked(rrset, target)) return undefined;
  if (wanted.length === 0) {
    const isInTheWay = isObstacle(
      rrset,
      all.some((one) => one.type === 'CNAME' && one.wanted.length > 0),
    );
    const isReplaced = isInTheWay && all.some((one) => one.wanted.length > 0);
    return (owner.is === 'ours' && target.mayDelete) || isReplaced ? deletion(rrset, target) : undefined;
  }
  const isRight = owner.is === 'ours' && ttl === target.ttl && live.join(' ') === wanted.join(' ');
  return isRight ? undefined : write(rrset, all, target);
}

function deletion(rrset: Rrset, { owner, ttl }: DnsTarget): RrsetChange {
  const { name, type, live } = rrset;
  const remove = (at: string, of: RecordChange['type']) =>
    ({ action: 'set', name: at, type: of, ttl, values: [] }) as const;
  return {
    requires: proofOf(rrset, owner),
    changes: [remove(name, type), remove(rrset.ownerName, 'TXT')],
    isDeletion: true,
    difference: `${type} ${name}: remove ${shown(live)}`,
  };
}

function write(rrset: Rrset, all: readonly Rrset[], { owner, ttl }: DnsTarget): RrsetChange {
  const { name, type, live, wanted } = rrset;
  const set = (at: string, of: RecordChange['type'], values: readonly string[]) =>
    ({ action: 'set', name: at, type: of, ttl, values }) as const;
  const isNew = rrset.owner.is === 'nobody' && live.length === 0;
  return {
    requires: isNew ? claimOf(rrset, all) : proofOf(rrset, owner),
    changes: [set(name, type, wanted), set(rrset.ownerName, 'TXT', [owner])],
    isDeletion: false,
    difference: `${type} ${name}: ${shown(live)} becomes ${shown(wanted)}`,
  };
}

/** Proves the owner that was read. */
function proofOf({ ownerName: name, owner }: Rrset, ours: string): readonly Prerequisite[] {
  if (owner.is === 'nobody') return [{ require: 'nxrrset', name, type: 'TXT' }];
  return [{ require: 'yxrrset', name, type: 'TXT', values: [owner.is === 'ours' ? ours : owner.value] }];
}

/** Proves that nobody has the records, nor others that exclude them. What the same update deletes has a proof of its own. */
function claimOf({ name, type, ownerName: txt }: Rrset, all: readonly Rrset[]): readonly Prerequisite[] {
  const deleted = all.filter((one) => one.live.length > 0 && one.wanted.length === 0);
  const absent: Prerequisite[] = [
    { require: 'nxrrset', name: txt, type: 'TXT' },
    { require: 'nxrrset', name, type },
  ];
  if (type === 'CNAME') return deleted.length > 0 ? absent : [...absent, { require: 'nxdomain', name }];
  const replacesAlias = deleted.some((one) => one.type === 'CNAME');
  return replacesAlias ? absent : [...absent, { require: 'nxrrset', name, type: 'CNAME' }];
}

/** Deletions come first, because a server ignores a record beside a CNAME. */
function updateOf(all: readonly RrsetChange[]): NamesUpdate {
  const ordered = [...all.filter((one) => one.isDeletion), ...all.filter((one) => !one.isDeletion)];
  const requires = ordered.flatMap((one) => one.requires);
  const distinct = new Map(requires.map((one) => [JSON.stringify(one), one]));
  return { requires: [...distinct.values()], changes: ordered.flatMap(({ changes }) => changes) };
}

function shown(values: readonly string[]): string {
  if (values.length === 0) return 'nothing';
  return values.length > 4 ? `${values.slice(0, 3).join(', ')} and ${values.length - 3} more` : values.join(', ');
}
