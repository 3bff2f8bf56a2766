/**
 * A kind whose tests on real pods are in `test/e2e/<its name>`; of one named `<engine>-image` those of its programs, in
 * `test/images/<engine>`.
 */
export interface TriedKind {
  /** How long these tests take on two cores. */
  readonly minutes: number;
  /** Paths from the root, or beginnings of them, of what belongs to this kind alone. */
  readonly sources: readonly string[];
}

/** Which kinds to try on real pods, in this order, and why not the others. */
export interface ChosenKinds {
  readonly chosen: readonly string[];
  /** A sentence for each that is left out. */
  readonly leftOut: readonly string[];
}

/** What all kinds have in common. */
const shared = [
  '.ci/',
  'Dockerfile',
  'crds/',
  'images/',
  'operator/',
  'package-lock.json',
  'src/',
  'test/e2e/',
  'test/images/',
];

/** What the choice depends on. */
export interface Occasion {
  /** Paths from the root of what was changed. */
  readonly changed: readonly string[];
  /** Days since some day: the kind that comes first is another one each day. */
  readonly day: number;
  /** For all of them together. */
  readonly minutes: number;
}

/**
 * The kinds whose sources were changed; of what all have in common, one kind in turn. They come in an order that rotates
 * by the day, as many as fit.
 */
export function chosenKinds(kinds: Readonly<Record<string, TriedKind>>, occasion: Occasion): ChosenKinds {
  const names = rotated(Object.keys(kinds), occasion.day);
  const own = names.filter((name) => occasion.changed.some((path) => startsWithOne(path, kinds[name]?.sources ?? [])));
  const inTurn = own.length === 0 && occasion.changed.some((path) => startsWithOne(path, shared));
  const chosen: string[] = [];
  const leftOut: string[] = [];
  let left = occasion.minutes;
  for (const name of names) {
    const takes = kinds[name]?.minutes ?? 0;
    if (!inTurn && !own.includes(name)) leftOut.push(`${name}: its sources were not changed`);
    else if (inTurn && chosen.length > 0)
      leftOut.push(`${name}: only what all kinds share was changed, and ${chosen[0]} is tried for it today`);
    else if (takes > left) leftOut.push(`${name}: takes ${takes} minutes, ${Math.max(0, Math.floor(left))} are left`);
    else {
      chosen.push(name);
      left -= takes;
    }
  }
  return { chosen, leftOut };
}

function rotated(names: readonly string[], by: number): readonly string[] {
  const first = names.length === 0 ? 0 : by % names.length;
  return [...names.slice(first), ...names.slice(0, first)];
}

function startsWithOne(path: string, beginnings: readonly string[]): boolean {
  return beginnings.some((beginning) => path.startsWith(beginning));
}
