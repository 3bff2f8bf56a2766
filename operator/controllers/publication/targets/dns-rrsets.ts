import type { NamesAnswer, RrsetName } from '../../../dns/dns-names.js';
import type { RecordsAnswer } from '../../../dns/dns-records.js';
import { ownerName } from '../names/record-names.js';
import type { WantedRecords } from './wanted-records.js';

/** Types of records that a publication writes, without those of its owner records. */
export type PublishedType = WantedRecords['type'];

/** The names that fit into one question with the wildcards above them. */
export const mostNames = 40;

const hostTypes = ['A', 'AAAA', 'CNAME'] as const;

/** The types that a name can have: a name with an underscore is one of SRV records. */
export function typesOf(name: string): readonly PublishedType[] {
  return name.startsWith('_') ? ['SRV'] : hostTypes;
}

/**
 * The RRsets that decide about names: theirs, those of their owners, and the wildcards above them, because a server answers
 * with the records of a wildcard for a name that has none.
 */
export function rrsetsFor(names: readonly string[], zone: string): readonly RrsetName[] {
  const own = names.flatMap((name) =>
    typesOf(name).flatMap((type): RrsetName[] => [
      { name, type },
      { name: ownerName(name, type, zone), type: 'TXT' },
    ]),
  );
  const wildcards = [...new Set(names.flatMap((name) => wildcardsOver(name, zone)))].toSorted();
  const above = wildcards.flatMap((name) => hostTypes.map((type): RrsetName => ({ name, type })));
  const byKey = new Map([...own, ...above].map((rrset) => [keyOf(rrset), rrset]));
  return [...byKey.values()];
}

/** The wildcards whose records a server may answer with for a name. At most two, the nearest first. */
function wildcardsOver(name: string, zone: string): readonly string[] {
  if (name === zone) return [];
  const [, ...labels] = name.slice(0, -zone.length - 1).split('.');
  const parents = labels.map((_, index) => `${labels.slice(index).join('.')}.${zone}`);
  return [...parents, zone]
    .map((parent) => `*.${parent}`)
    .filter((one) => one !== name)
    .slice(0, 2);
}

/** An answer, by name and type. */
export type Rrsets = (name: string, type: RrsetName['type']) => RecordsAnswer;

const none: RecordsAnswer = { values: [] };

/** @param asked the RRsets in the order of the answer */
export function rrsetsIn(answer: NamesAnswer, asked: readonly RrsetName[]): Rrsets {
  const byKey = new Map(asked.map((rrset, index) => [keyOf(rrset), answer.rrsets[index] ?? none]));
  return (name, type) => byKey.get(keyOf({ name, type })) ?? none;
}

/** The records that a name has itself, without those of a wildcard above it. */
export function ownRecords(rrsets: Rrsets, { name, type, zone }: RrsetName & { readonly zone: string }): RecordsAnswer {
  const found = rrsets(name, type);
  const isOfWildcard = wildcardsOver(name, zone).some((wildcard) => {
    const { values } = rrsets(wildcard, type);
    return values.length > 0 && values.join(' ') === found.values.join(' ');
  });
  return isOfWildcard ? none : found;
}

function keyOf({ name, type }: RrsetName): string {
  return `${type} ${name}`;
}
