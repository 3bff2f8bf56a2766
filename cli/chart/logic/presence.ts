import { allOf, always, anyOf, type Condition } from './condition.js';

/** Where a part was seen: in the rendering of one system with some settings. */
export interface Point {
  /** Names, sorted. */
  readonly settings: readonly string[];
  readonly system: string;
}

/** The systems with which a part was seen, for each combination of settings. */
interface Seen {
  readonly settings: readonly string[];
  readonly systems: ReadonlySet<string>;
}

/** A combination of settings that brings the part, unless all settings of one of `removers` are made too. */
interface Term extends Seen {
  readonly removers: readonly (readonly string[])[];
}

/**
 * The condition on which a part exists, given that what contains it exists. It holds exactly in the renderings in which
 * the part was seen. With several systems, a part exists if one of them brings it.
 * @param part where the part was seen
 * @param whole where that which contains it was seen
 */
export function conditionOf(part: readonly Point[], whole: readonly Point[]): Condition {
  if (part.length === whole.length) return always;
  const known = bySettings(whole);
  const seen = new Map(bySettings(part).map((one) => [one.settings.join(), one.systems]));
  const given = known.reduce(
    (names, { settings }) => names.filter((name) => settings.includes(name)),
    known[0]?.settings ?? [],
  );
  const terms: Term[] = [];
  for (const { settings } of known) {
    const systems = seen.get(settings.join()) ?? new Set();
    if (systems.size === 0 || terms.some((term) => implies({ settings, systems }, term))) continue;
    terms.push({ settings, systems, removers: removersOf({ settings, systems }, known, seen) });
  }
  return anyOf(terms.map((term) => conditionOfTerm(term, given, known)));
}

/** The combinations, the smaller ones first. */
function bySettings(points: readonly Point[]): readonly Seen[] {
  const all = new Map<string, { settings: readonly string[]; systems: Set<string> }>();
  for (const { settings, system } of points) {
    const one = all.get(settings.join()) ?? { settings, systems: new Set() };
    one.systems.add(system);
    all.set(settings.join(), one);
  }
  return [...all.values()].toSorted((a, b) => a.settings.length - b.settings.length);
}

/** Whether the part exists there because of the term. */
function implies({ settings, systems }: Seen, term: Term): boolean {
  return (
    term.settings.every((name) => settings.includes(name)) &&
    !term.removers.some((names) => names.every((name) => settings.includes(name))) &&
    areWithin(systems, term.systems)
  );
}

/**
 * The settings with which, added to the combination, the part is no longer there. Of several that are added at once, those
 * are to blame with which alone the part was not seen.
 */
function removersOf(
  { settings, systems }: Seen,
  known: readonly Seen[],
  seen: ReadonlyMap<string, ReadonlySet<string>>,
): readonly (readonly string[])[] {
  const has = (all: readonly string[], within: Iterable<string>) =>
    areWithin(within, seen.get(all.join()) ?? new Set());
  const larger = known.filter((other) => settings.every((name) => other.settings.includes(name)));
  const removers: (readonly string[])[] = [];
  for (const other of larger) {
    const expected = [...systems].filter((system) => other.systems.has(system));
    if (has(other.settings, expected)) continue;
    const added = other.settings.filter((name) => !settings.includes(name));
    const suspects = added.filter((name) => !has([...settings, name].toSorted(), expected));
    const blamed = suspects.length > 0 ? suspects : added;
    if (!removers.some((names) => names.every((name) => blamed.includes(name)))) removers.push(blamed);
  }
  return removers;
}

function conditionOfTerm({ settings, systems, removers }: Term, given: readonly string[], known: readonly Seen[]) {
  const larger = known.filter((other) => settings.every((name) => other.settings.includes(name)));
  const isWithEach = larger.every((other) => areWithin(other.systems, systems));
  return allOf([
    ...settings.filter((name) => !given.includes(name)).map((setting) => ({ setting })),
    ...removers.map((names) => ({ not: allOf(names.map((setting) => ({ setting }))) })),
    ...(isWithEach ? [] : [anyOf([...systems].map((system) => ({ system })))]),
  ]);
}

function areWithin(some: Iterable<string>, all: ReadonlySet<string>): boolean {
  return [...some].every((one) => all.has(one));
}
