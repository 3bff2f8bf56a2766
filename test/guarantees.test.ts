import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importsOf, type Source, withoutComments, writtenSources } from './sources.js';

/** One guarantee of docs/maintaining/guarantees.md. */
interface Guarantee {
  readonly number: number;
  readonly title: string;
  readonly text: string;
  readonly tests: readonly Link[];
}

/** A test that a guarantee names. */
interface Link {
  readonly title: string;
  readonly file: string;
  /** True where it is a contract that runs on a real control plane too. */
  readonly isMarked: boolean;
}

const root = join(import.meta.dirname, '..');
const sources = new Map(writtenSources(root).map((source) => [source.path, source]));

const guarantees: readonly Guarantee[] = readFileSync(join(root, 'docs/maintaining/guarantees.md'), 'utf8')
  .split(/^## /m)
  .slice(1)
  .map((section) => {
    const [heading = '', ...lines] = section.split('\n');
    const text = lines.join('\n');
    const [, number, title = ''] = /^(\d+)\. (.*)$/.exec(heading) ?? [];
    return { number: Number(number), title, text, tests: linksIn(part(text, 'Test')) };
  });

/** The paragraph of a section that begins with a word and a colon. */
function part(text: string, word: string): string {
  return text.split(/\n\n+|\n(?=[A-Z][a-z ]+: )/).find((paragraph) => paragraph.startsWith(`${word}: `)) ?? '';
}

function linksIn(text: string): readonly Link[] {
  const links = text.matchAll(/\[`([^`]+)`\]\(\.\.\/([^)]+)\)( †)?/g);
  return [...links].map(([, title = '', file = '', mark]) => ({
    title: title.replace(/\s+/g, ' '),
    file,
    isMarked: mark !== undefined,
  }));
}

/** A file, and the tables that it imports from the tests. */
function withTables(file: string, seen = new Set<string>()): readonly Source[] {
  const source = sources.get(file);
  if (!source || seen.has(file)) return [];
  seen.add(file);
  const tables = importsOf(source).filter((path) => path.startsWith('test/'));
  return [source, ...tables.flatMap((path) => withTables(path, seen))];
}

/** What is written between quotes. */
function literalsOf({ text }: Source): readonly string[] {
  const literals = withoutComments(text).matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g);
  return [...literals].map(([, single, double, template]) =>
    (single ?? double ?? template ?? '').replaceAll(/\\(['"`])/g, '$1'),
  );
}

/** Matches a title in which vitest or the code fills something in, or that is quoted in part. */
function patternOf(title: string): RegExp {
  const parts = title.split(/\$\{[^}]*\}|\$[\w.]+|%[sdijo]|…/);
  return new RegExp(`^${parts.map((part) => part.replace(/[.*+?^$()[\]{}|\\]/g, '\\$&')).join('.*')}$`);
}

function isTitle(literal: string, title: string): boolean {
  const bare = title.replace(/^(R\d+ |† )+/, '');
  const isFilled = literal.replace(/\$\{[^}]*\}|\$[\w.]+|%[sdijo]|R\d+|[ †]/g, '') !== '';
  return [title, bare].some((one) => (isFilled && patternOf(literal).test(one)) || patternOf(one).test(literal));
}

test('the guarantees are those of the contract, 1 to 35', () => {
  expect(guarantees.map(({ number }) => number)).toEqual(Array.from({ length: 35 }, (_, index) => index + 1));
});

describe.each(guarantees)('guarantee $number, $title', ({ number, title, text, tests }) => {
  test.each(tests)('is held by $title', ({ title, file }) => {
    const reached = withTables(file);
    expect(reached, `${file} does not exist`).not.toEqual([]);
    expect(reached.flatMap(literalsOf).some((literal) => isTitle(literal, title))).toBe(true);
    const isNamed = reached.some(({ text }) => new RegExp(`\\bR${number}\\b`).test(text));
    expect(isNamed, `nothing in ${file} is named R${number}`).toBe(true);
  });

  test('has a test, and one on a real control plane where it is marked so', () => {
    const isReal = ({ file, isMarked }: Link) => isMarked || file.endsWith('.integration.test.ts');
    expect(tests.some((link) => !title.endsWith('†') || isReal(link))).toBe(true);
  });

  test('says how it was broken, and what others do', () => {
    expect(part(text, 'Broken by')).toMatch(/→/);
    for (const other of ['controller-runtime', 'kube-rs', 'kopf', 'JOSDK']) {
      expect(part(text, 'Elsewhere')).toContain(other);
    }
  });
});
