import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import type { TriedKind } from './chosen-kinds.js';

/** What an entry states: what does not follow from its place. */
interface Entry {
  readonly minutes: number;
  readonly sources?: readonly string[];
  /** Of an entry in `test/ci/entries` alone. */
  readonly script?: string;
}

/** Where `<name>/entry.json` can be, and what follows from the name. Sources that do not exist are left out. */
interface Place {
  readonly folder: string;
  readonly suffix: string;
  readonly sources: (name: string) => readonly string[];
  readonly script?: (name: string) => string;
}

const places: readonly Place[] = [
  {
    folder: 'test/e2e',
    suffix: '',
    sources: (name) => [
      ...[`crds/${name}`, `images/${name}/`, `operator/controllers/${name}/`, `operator/engines/${name}/`],
      ...[`src/${name}/`, `test/e2e/${name}/`],
    ],
  },
  {
    folder: 'test/images',
    suffix: '-image',
    sources: (name) => [`images/${name}/`, `test/images/${name}/`],
    script: (name) => `engines -- test/images/${name}`,
  },
  {
    folder: 'test/operator/engines',
    suffix: '-engine',
    sources: (name) => [`operator/engines/${name}/`, `test/operator/engines/${name}/`],
    script: (name) => `engines -- test/operator/engines/${name}`,
  },
];

/**
 * The tests that `.ci/run` starts after `npm test`: of each system, image and engine, from the `entry.json` beside them, and
 * the others from `test/ci/entries`. They are in the order of their names.
 * @param root of the project
 * @throws {Error} if an entry lacks what it needs
 */
export function triedKinds(root = '.'): Readonly<Record<string, TriedKind>> {
  const others = readdirSync(join(root, 'test/ci/entries')).map((file): [string, TriedKind] => {
    const { minutes, sources = [], script } = entryIn(root, `test/ci/entries/${file}`);
    if (script === undefined) throw new Error(`test/ci/entries/${file}: script must be an npm script, got none`);
    return [file.replace(/\.json$/, ''), { minutes, script, sources }];
  });
  const all = [...places.flatMap((place) => kindsAt(root, place)), ...others];
  return Object.fromEntries(all.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function kindsAt(root: string, { folder, suffix, sources, script }: Place): readonly [string, TriedKind][] {
  const names = readdirSync(join(root, folder)).filter((name) => existsSync(join(root, folder, name, 'entry.json')));
  return names.map((name) => {
    const file = `${folder}/${name}/entry.json`;
    const entry = entryIn(root, file);
    if (entry.script !== undefined)
      throw new Error(`${file}: script must be absent, because it follows from the folder`);
    const own = [...sources(name).filter((source) => hasSource(root, source)), ...(entry.sources ?? [])];
    const kind = { minutes: entry.minutes, sources: own.toSorted(), ...(script && { script: script(name) }) };
    return [`${name}${suffix}`, kind];
  });
}

function entryIn(root: string, file: string): Entry {
  const { minutes, sources = [], script, ...rest } = JSON.parse(readFileSync(join(root, file), 'utf8'));
  if (!(minutes > 0)) throw new Error(`${file}: minutes must be a number above 0, got ${minutes}`);
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw new Error(`${file}: ${unknown} must be one of minutes, sources, script`);
  return { minutes, sources, script };
}

/** Whether there is a path that begins with a source. A source is a folder with a slash, or the beginning of names. */
export function hasSource(root: string, source: string): boolean {
  if (existsSync(join(root, source))) return true;
  const folder = join(root, dirname(source));
  return existsSync(folder) && readdirSync(folder).some((name) => join(dirname(source), name).startsWith(source));
}
