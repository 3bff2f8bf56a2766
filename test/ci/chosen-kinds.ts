/** Tests that `.ci/run` starts after `npm test`: of a kind on real pods, in `test/e2e/<its name>`, or a script's. */
export interface TriedKind {
  /** How long these tests take on two cores. */
  readonly minutes: number;
  /** Paths from the root, or beginnings of them, of what belongs to this kind alone. */
  readonly sources: readonly string[];
  /** An npm script and its arguments, for tests that need no cluster with nodes. @default - tests on real pods */
  readonly script?: string;
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
 * The kinds whose sources were changed. If none of those on real pods was, but something that all have in common, one of
 * them in turn. They come in an order that rotates by the day, as many as fit.
 */
export function chosenKinds(kinds: Readonly<Record<string, TriedKind>>, occasion: Occasion): ChosenKinds {
  const names = rotated(Object.keys(kinds), occasion.day);
  const isOnPods = (name: string) => kinds[name]?.script === undefined;
  const own = names.filter((name) => occasion.changed.some((path) => startsWithOne(path, kinds[name]?.sources ?? [])));
  const isAnyInTurn = !own.some(isOnPods) && occasion.changed.some((path) => startsWithOne(path, shared));
  const chosen: string[] = [];
  const leftOut: string[] = [];
  let left = occasion.minutes;
  for (const name of names) {
    const takes = kinds[name]?.minutes ?? 0;
    const isInTurn = isAnyInTurn && isOnPods(name);
    const earlier = chosen.find(isOnPods);
    if (!isInTurn && !own.includes(name)) leftOut.push(`${name}: its sources were not changed`);
    else if (isInTurn && earlier)
      leftOut.push(`${name}: only what all kinds share was changed, and ${earlier} is tried for it today`);
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
