import path from 'node:path';

/** Rows of a table, of which the first is the heading. */
export type Rows = readonly (readonly string[])[];

/** The lines of each generated part of a page, by its name. It is given the words of the comment behind the colon. */
export type Sections = Readonly<Record<string, (words: readonly string[]) => readonly string[]>>;

const marked = /<!-- ([a-z]+)(?:: ([^>]*?))? -->\n[\s\S]*?<!-- end -->/g;

/**
 * A page with its generated parts filled in. A part is between `<!-- NAME -->` or `<!-- NAME: WORD… -->`, and
 * `<!-- end -->`. Its links start at the root of the repository, and become those of the page.
 * @param page its path from the root of the repository
 * @throws {Error} if no part has the name of a comment
 */
export function withSections(text: string, page: string, sections: Sections): string {
  return text.replace(marked, (_, name: string, words?: string) => {
    const section = sections[name];
    if (!section)
      throw new Error(`${page}: <!-- ${name} -->: must be one of ${Object.keys(sections).toSorted().join(', ')}`);
    const lines = section(words?.split(' ') ?? []).map((line) => relinked(line, page));
    return `<!-- ${name}${words === undefined ? '' : `: ${words}`} -->\n\n${lines.join('\n')}\n\n<!-- end -->`;
  });
}

/** The lines of a table. */
export function tableOf([heading = [], ...rows]: Rows): readonly string[] {
  const ruler = heading.map(() => '---');
  return [heading, ruler, ...rows].map(
    (cells) => `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`,
  );
}

/** Text as code. */
export const code = (text: string) => `\`${text}\``;

function relinked(text: string, page: string): string {
  return text.replace(/\]\((docs\/[^)#]*|examples\/[^)#]*)(#[^)]*)?\)/g, (_, target: string, anchor = '') => {
    const to = target === page ? '' : path.relative(path.dirname(page), target);
    return `](${to}${anchor})`;
  });
}
