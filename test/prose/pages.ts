import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { figuresOf, type PageFigures, wordsIn } from './page-figures.js';

/** A page and how it is written. */
export interface Page extends PageFigures {
  readonly path: string;
}

/** Every page that is written by hand. */
export function pages(): readonly Page[] {
  const paths = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'].concat(
    readdirSync('docs', { recursive: true, encoding: 'utf8' })
      .map((path) => join('docs', path))
      .filter((path) => path.endsWith('.md') && !path.startsWith('docs/reference/'))
      .toSorted(),
  );
  return paths.map((path) => ({ path, ...figuresOf(readFileSync(path, 'utf8')) }));
}

/** Tables by their nature: rows of promises, of products, of conditions, of names. */
const tables = /guarantees|compared|conditions|validation|objects|CHANGELOG|docs\/operator\//;

/** Pages that count for the share of words in tables. */
export const isProse = ({ path }: Page) => !tables.test(path);

/** Pages that lead a reader through something. */
export const isGuide = ({ path }: Page) =>
  /^docs\/[\w-]+\.md$/.test(path) && !/docs\/(README|roadmap|compared|architecture|concepts)\.md$/.test(path);

/** The sentences that are longer than thirty words. */
export const longSentences = ({ sentences }: PageFigures) => sentences.filter((sentence) => wordsIn(sentence) > 30);

/** The sentences whose subject is a question. */
export const questions = ({ sentences }: PageFigures) =>
  sentences.filter(
    (sentence) => /^["'(]*(What|Who|How|Whoever|Whatever|Whose)\b/.test(sentence) && !sentence.endsWith('?'),
  );

/** Adds up what each page has. */
export function total(of: readonly PageFigures[]): PageFigures {
  const sum = (count: (one: PageFigures) => number) => of.reduce((all, one) => all + count(one), 0);
  return {
    words: sum(({ words }) => words),
    wordsInTables: sum(({ wordsInTables }) => wordsInTables),
    headings: sum(({ headings }) => headings),
    codeBlocks: sum(({ codeBlocks }) => codeBlocks),
    sentences: of.flatMap(({ sentences }) => sentences),
  };
}
