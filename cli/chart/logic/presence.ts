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

/** A combination of settings that brings the part, unless one of `removers` is set too. */
interface Term extends Seen {
  readonly removers: readonly string[];
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
    !term.removers.some((name) => settings.includes(name)) &&
    areWithin(systems, term.systems)
  );
}

/** The settings with which, added to the combination, the part is no longer there. */
function removersOf(
  { settings, systems }: Seen,
  known: readonly Seen[],
  seen: ReadonlyMap<string, ReadonlySet<string>>,
): readonly string[] {
  return known.flatMap((other) => {
    const added = other.settings.filter((name) => !settings.includes(name));
    const [name, ...more] = added;
    if (name === undefined || more.length > 0 || other.settings.length !== settings.length + 1) return [];
    const expected = [...systems].filter((system) => other.systems.has(system));
    return areWithin(expected, seen.get(other.settings.join()) ?? new Set()) ? [] : [name];
  });
}

function conditionOfTerm({ settings, systems, removers }: Term, given: readonly string[], known: readonly Seen[]) {
  const whole = known.find((one) => one.settings.join() === settings.join())?.systems ?? new Set();
  return allOf([
    ...settings.filter((name) => !given.includes(name)).map((setting) => ({ setting })),
    ...removers.map((setting) => ({ not: { setting } })),
    ...(areWithin(whole, systems) ? [] : [anyOf([...systems].map((system) => ({ system })))]),
  ]);
}

function areWithin(some: Iterable<string>, all: ReadonlySet<string>): boolean {
  return [...some].every((one) => all.has(one));
}
