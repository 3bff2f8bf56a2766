import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { allKinds, type JsonSchema, toCustomResourceDefinition } from '../../crds/index.js';
import { messages } from './messages.js';
import { figuresOf, wordsIn } from './page-figures.js';
import { isGuide, isProse, longSentences, type Page, pages, questions, total } from './pages.js';

/** The words that `npm run lint` refuses on pages, with what to write. */
const terms = (
  JSON.parse(readFileSync('.textlintrc.json', 'utf8')) as {
    readonly rules: {
      readonly terminology: { readonly terms: readonly (readonly [pattern: string, instead: string])[] };
    };
  }
).rules.terminology.terms.map(([pattern, instead]) => ({ pattern: new RegExp(`\\b${pattern}`, 'i'), instead }));

const refused = (text: string) =>
  terms.flatMap(({ pattern, instead }) => {
    const [found] = pattern.exec(text) ?? [];
    return found === undefined ? [] : [`"${found}": write ${instead}`];
  });

test('what is counted of a page', () => {
  const page =
    '# A title\n\nOne sentence. Another one,\non two lines, with `a.b` in it.\n\n- An item\n\n| a | two words |\n| - | - |\n\n```sh\nnot counted. At all.\n```\n';
  expect(figuresOf(page)).toEqual({
    words: 18,
    wordsInTables: 3,
    headings: 1,
    codeBlocks: 1,
    sentences: ['One sentence.', 'Another one, on two lines, with code in it.', 'An item'],
  });
});

describe('the pages', () => {
  const all = pages();
  const share = (part: number, of: number) => part / Math.max(1, of);
  const counted = all.filter(({ path }) => !/guarantees|compared/.test(path));

  test('have at most 8 % of sentences over 30 words', () => {
    const { sentences } = total(counted);
    expect(share(total(counted).sentences.filter((one) => wordsIn(one) > 30).length, sentences.length)).toBeLessThan(
      0.08,
    );
  });

  test.each(counted)('$path has few long sentences', (page) => {
    expect(longSentences(page).length).toBeLessThanOrEqual(Math.max(2, page.sentences.length * 0.12));
  });

  test('have at most 0.5 % of sentences that open with a question word', () => {
    const of = total(counted);
    expect(share(questions(of).length, of.sentences.length), questions(of).join('\n')).toBeLessThan(0.005);
  });

  test('have at most 8 % of their words in tables, outside of references', () => {
    const of = total(all.filter(isProse));
    expect(share(of.wordsInTables, of.words)).toBeLessThan(0.08);
  });

  test('have 4 headings and 3 code blocks in 500 words of a guide', () => {
    const of = total(all.filter(isGuide));
    expect((500 * of.headings) / of.words).toBeGreaterThan(4);
    expect((500 * of.codeBlocks) / of.words).toBeGreaterThan(3);
  });

  const limits: readonly (readonly [pattern: RegExp, words: number])[] = [
    [/^README\.md$/, 900],
    [/^docs\/concepts\.md$/, 900],
    [/^docs\/roadmap\.md$/, 300],
    [/^docs\/maintaining\/performance\.md$/, 1_000],
    [/^docs\/kinds\/[\w/-]+\.md$/, 1_500],
    [/^docs\/[\w-]+\.md$/, 1_200],
  ];
  const limitOf = ({ path }: Page) => limits.find(([pattern]) => pattern.test(path))?.[1];

  test.each(all.filter((page) => limitOf(page) !== undefined && !/compared|conditions/.test(page.path)))(
    '$path is as short as its kind must be',
    (page) => {
      expect(page.words).toBeLessThanOrEqual(limitOf(page) ?? 0);
    },
  );
});

test('messages in the sources have none of the words that pages must not have', () => {
  const found = messages().flatMap(({ at, text }) => refused(text).map((why) => `${at} ${why}: ${text.slice(0, 100)}`));
  expect(found).toEqual([]);
});

describe('the descriptions that kubectl explain shows', () => {
  const described = allKinds.flatMap((kind) =>
    toCustomResourceDefinition(kind).spec.versions.flatMap(({ schema }) =>
      descriptionsIn(schema.openAPIV3Schema, kind.kind),
    ),
  );

  test.each(['words that pages must not have', 'sentences over 30 words', 'a question as a subject'])(
    'have no %s',
    (what) => {
      const wrong = described.filter(({ text }) => {
        if (what.startsWith('words')) return refused(text).length > 0;
        const figures = figuresOf(text);
        return (what.startsWith('sentences') ? longSentences(figures) : questions(figures)).length > 0;
      });
      expect(wrong).toEqual([]);
    },
  );
});

function descriptionsIn(schema: JsonSchema, at: string): readonly { readonly at: string; readonly text: string }[] {
  const { description, properties = {}, items, additionalProperties } = schema;
  return [
    ...(description === undefined ? [] : [{ at, text: description }]),
    ...Object.entries(properties).flatMap(([name, below]) => descriptionsIn(below, `${at}.${name}`)),
    ...(items ? descriptionsIn(items, `${at}[]`) : []),
    ...(typeof additionalProperties === 'object' ? descriptionsIn(additionalProperties, `${at}.*`) : []),
  ];
}
