import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writtenSources } from '../sources.js';
import { walkFrom, walkText } from './walk.js';

/**
 * The ceilings only go down. By the rules of `walkFrom`, commit 83a27d81 had 62 files, 139 returns and 107 names, and commit
 * 79dc1f08 had 67 files, 144 returns and 113 names, both of November 2026. The goals were 56 files and 87 returns.
 *
 * A function that reaches other files only through private functions of its file is not entered. If it were, the first of
 * these commits would have 68 files and 177 returns, and the walk with these ceilings 65 files and 142 returns.
 */
const most = { files: 54, returns: 87 };

const reconcile = { path: 'operator/runtime/reconcile/reconcile.ts', name: 'reconcile' };

describe('the walk through a reconcile', () => {
  const { files, returns, names } = walkFrom(reconcile, writtenSources(join(import.meta.dirname, '../..')));

  it('enters the stages', () => {
    expect(names).toBeGreaterThan(50);
  });

  it(`enters at most ${most.files} files, and comes back to a file at most ${most.returns} times`, () => {
    expect(files).toBeLessThanOrEqual(most.files);
    expect(returns).toBeLessThanOrEqual(most.returns);
  });
});

/** A function that is read as a word. */
const word = { path: 'words.ts', text: 'export function word() {}' };
const words = "import { word } from './words.js';\n";

describe('walkFrom', () => {
  it('follows calls of the same file and of imports, once each and in their order', () => {
    const a =
      "import { b, c as d } from './b.js';\nexport function a() { here(b()); d(); here(); }\nfunction here() { word(); }";
    const b = 'export function b() { word(); }\nexport const c = () => b(word());';
    const walk = walkOf({ a: words + a, b: words + b });
    expect(walk).toEqual({
      steps: ['a a', 'a here', 'a a', 'b b', 'a a', 'b c', 'a a'],
      files: 2,
      returns: 3,
      names: 3,
    });
  });

  it('follows calls in function expressions and conditions', () => {
    const a =
      "import { b } from './b.js';\nexport function a(x: string[]) { return x.length > 0 ? x.map((y) => b(y)) : here(); }\nfunction here() { word(); }";
    const b = 'export function b(y: string) { return word(y); }';
    expect(walkOf({ a: words + a, b: words + b }).steps).toEqual(['a a', 'b b', 'a a', 'a here', 'a a']);
  });

  it.each([
    { not: 'methods', a: 'export function a(x: { b(): void }) { x.b(); word(); }\nfunction b() { word(); }' },
    {
      not: 'functions that are passed as values',
      a: 'export function a(x: string[]) { x.map(b); word(); }\nfunction b() { word(); }',
    },
    {
      not: 'functions that call none of another file',
      a: 'export function a() { b(); word(); }\nfunction b() { c(); }\nfunction c() { word(); }',
    },
    { not: 'imports of packages', a: "import { b } from 'b';\nexport function a() { b(); word(); }" },
    { not: 'imports of types', a: "import type { b } from './b.js';\nexport function a(x: b) { word(); return x; }" },
  ])('does not follow $not', ({ a }) => {
    expect(walkOf({ a: words + a, b: `${words}export function b() { word(); }` }).steps).toEqual(['a a']);
  });

  it('counts the way back to the caller as a return', () => {
    const a = "import { b } from './b.js';\nexport function a() { b(); }";
    const b = 'export function b() { word(); }';
    expect(walkOf({ a: words + a, b: words + b })).toEqual({
      steps: ['a a', 'b b', 'a a'],
      files: 2,
      returns: 1,
      names: 2,
    });
  });

  it('prints a line for each change of the file', () => {
    const a =
      "import { b } from './b.js';\nexport function a() { b(); here(); there(); }\nfunction here() { word(); }\nfunction there() { word(); }";
    const sources = [
      word,
      { path: 'a.ts', text: words + a },
      { path: 'b.ts', text: `${words}export function b() { word(); }` },
    ];
    const lines = ['  a.ts: a', '  b.ts: b', '↩ a.ts: a, here, there', '2 files, 1 returns, 2 names'];
    expect(walkText(walkFrom({ path: 'a.ts', name: 'a' }, sources)).split('\n')).toEqual(lines);
  });
});

function walkOf(files: { readonly a: string; readonly b: string }) {
  const sources = Object.entries(files).map(([name, text]) => ({ path: `${name}.ts`, text }));
  const { steps, ...figures } = walkFrom({ path: 'a.ts', name: 'a' }, [word, ...sources]);
  return { steps: steps.map(({ path, name }) => `${path.slice(0, -3)} ${name}`), ...figures };
}
