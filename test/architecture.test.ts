import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { circlesIn } from './circles.js';
import { forbiddenImports } from './forbidden-imports.js';
import { additions, libraryRules } from './import-rules.js';
import { importsOf, type Source, withoutComments, writtenSources } from './sources.js';
import { crowdsIn, mostFiles, purposeOf, staircases, stepsDown, strays } from './staircase.js';

/** All but the files that quote what is forbidden. */
const sources = writtenSources(join(import.meta.dirname, '..')).filter(
  ({ path }) => !/^test\/(architecture|forbidden-imports)\.test\.ts$/.test(path),
);

/** Parts of a controller that are pure: time and chance come in as arguments. */
const pure = /^operator\/(controllers\/(?!index\.ts$|.*\/index\.ts$)|members\/)/;
/** A date of a time that came in is pure; one of now is not. */
const impure = /\bawait\b|\bDate\.now\b|\bnew Date\b(?!\([^)])|\bMath\.random\b|\bprocess\b(?=[.[])/;
/** Programs: what reads the process's arguments and surroundings. */
const programs = /^(operator\/(main|process\/run-process)\.ts|operator\/testing\/|cli\/|examples\/|test\/)/;

const longest = 350;

describe('the project', () => {
  it('has sources', () => {
    expect(sources.length).toBeGreaterThan(100);
  });

  it('imports along the arrows of docs/architecture.md', () => {
    expect(sources.flatMap((source) => forbiddenImports(source))).toEqual([]);
  });

  it('uses each exception to the rules', () => {
    const uses = (place: string, pattern: RegExp) =>
      sources.some((source) => source.path.startsWith(place) && importsOf(source).some((to) => pattern.test(to)));
    const places = [
      ...libraryRules.flatMap(({ library, only }) => [only].flat().map((place) => ({ place, pattern: library }))),
      ...additions.flatMap(({ folder, may }) => may.map((pattern) => ({ place: folder, pattern }))),
    ];
    expect(places.filter(({ place, pattern }) => !uses(place, pattern))).toEqual([]);
  });

  it('keeps desire, assess and what they are made of pure', () => {
    expect(sources.some(({ path }) => pure.test(path))).toBe(true);
    expect(sources.flatMap(impurities)).toEqual([]);
  });

  it('reads process.env and process.argv in its programs alone', () => {
    expect(sources.flatMap(surroundingsRead)).toEqual([]);
  });

  it('has no default exports', () => {
    expect(sources.flatMap(defaultExports)).toEqual([]);
  });

  it('says in a README.md of each folder what it is for', () => {
    const folders = new Set(
      sources.map(({ path }) => dirname(path)).filter((path) => /^(crds|src|operator|cli)\b/.test(path)),
    );
    const isSilent = (folder: string) => !existsSync(join(import.meta.dirname, '..', folder, 'README.md'));
    expect([...folders].filter(isSilent)).toEqual([]);
  });

  it(`has no file of more than ${longest} lines, schemas apart`, () => {
    expect(sources.flatMap(tooLong)).toEqual([]);
  });

  it('has no circle of imports, imports of types included', () => {
    expect(circlesIn(sources)).toEqual([]);
  });

  it.each(staircases)('imports up the staircase of $folder, never down', (staircase) => {
    expect(sources.flatMap((source) => stepsDown(source, staircase))).toEqual([]);
    expect(sources.flatMap((source) => strays(source, staircase))).toEqual([]);
  });

  it.each(staircases.flatMap(({ folder, rooms }) => rooms.map((room) => ({ folder, ...room }))))(
    'says in $folder/$name what it is for',
    ({ folder, name, purpose }) => {
      expect(sources.some(({ path }) => path.startsWith(`${folder}/${name}/`))).toBe(true);
      expect(purposeOf(`${folder}/${name}`)).toBe(purpose);
    },
  );

  it(`has no folder of more than ${mostFiles} files`, () => {
    expect(crowdsIn(sources)).toEqual([]);
  });
});

describe('this test', () => {
  it.each([
    { what: 'the time', text: 'const now = Date.now();' },
    { what: 'the date', text: 'const now = new Date();' },
    { what: 'the date, in short', text: 'const now = new Date;' },
    { what: 'chance', text: 'const a = Math.random();' },
    { what: 'the process', text: 'const a = process.pid;' },
    { what: 'waiting', text: 'const a = await b;' },
  ])('fails where a pure file mentions $what, but not in a comment', ({ text }) => {
    const path = 'operator/controllers/a/desire.ts';
    expect(impurities({ path, text })).toHaveLength(1);
    expect(impurities({ path, text: `// ${text}\n/** ${text} */` })).toEqual([]);
  });

  it.each([
    {
      check: 'surroundings',
      faults: surroundingsRead,
      path: 'operator/config/config.ts',
      text: 'const a = process.env.HOME;',
    },
    { check: 'default exports', faults: defaultExports, path: 'src/a.ts', text: 'export default 1;' },
    { check: 'default exports by name', faults: defaultExports, path: 'src/a.ts', text: 'export { a as default };' },
    { check: 'length', faults: tooLong, path: 'src/a.ts', text: 'a\n'.repeat(longest + 1) },
  ])('fails for $check', ({ faults, path, text }) => {
    expect(faults({ path, text })).toHaveLength(1);
  });

  it('fails for a circle, though types alone are imported', () => {
    const planted = [
      { path: 'src/a.ts', text: "import type { B } from './b.js';" },
      { path: 'src/b.ts', text: "export type { C } from './c.js';" },
      { path: 'src/c.ts', text: "const a: import('./a.js').A = 1;" },
      { path: 'src/d.ts', text: "import type { A } from './a.js';" },
    ];
    expect(circlesIn(planted)).toEqual([
      'src/a.ts imports src/b.ts, which leads back to it: src/a.ts → src/b.ts → src/c.ts → src/a.ts',
    ]);
    expect(circlesIn(planted.slice(1))).toEqual([]);
  });

  it.each([
    { from: 'low', to: 'high', steps: [] },
    { from: 'high', to: 'high', steps: [] },
    { from: 'high', to: 'low', steps: ['operator/x/high/a.ts imports operator/x/low/b.ts: high is above low'] },
  ])('tells a step from $from to $to', ({ from, to, steps }) => {
    const rooms = ['high', 'low'].map((name) => ({ name, purpose: 'Stands.' }));
    const planted = { path: `operator/x/${from}/a.ts`, text: `import type { B } from '../${to}/b.js';` };
    expect(stepsDown(planted, { folder: 'operator/x', rooms })).toEqual(steps);
  });

  it('fails for a file that stands in no room, and for what a room takes from the index', () => {
    const staircase = { folder: 'operator/x', rooms: [{ name: 'high', purpose: 'Stands.' }] };
    expect(strays({ path: 'operator/x/a.ts', text: '' }, staircase)).toHaveLength(1);
    expect(strays({ path: 'operator/x/other/a.ts', text: '' }, staircase)).toHaveLength(1);
    expect(strays({ path: 'operator/x/index.ts', text: '' }, staircase)).toEqual([]);
    const planted = { path: 'operator/x/high/a.ts', text: "import { b } from '../index.js';" };
    expect(stepsDown(planted, staircase)).toEqual([
      'operator/x/high/a.ts imports operator/x/index.ts: high is above index',
    ]);
  });

  it('fails for a folder of too many files', () => {
    const planted = Array.from({ length: mostFiles + 1 }, (_, index) => ({ path: `src/a/${index}.ts`, text: '' }));
    expect(crowdsIn(planted)).toEqual([`src/a has ${mostFiles + 1} files: split it where it is about two things`]);
    expect(crowdsIn(planted.slice(1))).toEqual([]);
  });
});

function impurities({ path, text }: Source): string[] {
  const [found] = pure.test(path) ? (impure.exec(withoutComments(text)) ?? []) : [];
  return found === undefined ? [] : [`${path} mentions ${found}: time and chance come in as arguments`];
}

function surroundingsRead({ path, text }: Source): string[] {
  const reads = !programs.test(path) && /\bprocess\.(env|argv)\b/.test(withoutComments(text));
  return reads ? [`${path} reads the process's surroundings: let main read them and hand them over`] : [];
}

function defaultExports({ path, text }: Source): string[] {
  const exported = /^export default\b|^export \{.*\bas default\b/m.test(text);
  return exported ? [`${path} has a default export: name it like the file`] : [];
}

function tooLong({ path, text }: Source): string[] {
  const lines = text.split('\n').length - 1;
  const isSchema = /^crds\/[^/]+\.ts$/.test(path);
  return lines > longest && !isSchema ? [`${path} has ${lines} lines: split it where it answers two questions`] : [];
}
