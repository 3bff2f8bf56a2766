/** How a page of Markdown is written, counted. Words of code blocks do not count; those of tables are in `words` too. */
export interface PageFigures {
  readonly words: number;
  readonly wordsInTables: number;
  readonly headings: number;
  readonly codeBlocks: number;
  /** Outside of tables and headings. */
  readonly sentences: readonly string[];
}

const fence = /^ *(```|~~~)/;

/** Counts one page. A cell of a table is no sentence; an item of a list is at least one. */
export function figuresOf(markdown: string): PageFigures {
  let isCode = false;
  let codeBlocks = 0;
  let headings = 0;
  const blocks: string[] = [];
  const cells: string[] = [];
  const titles: string[] = [];
  let block = '';
  const end = () => {
    if (block.trim() !== '') blocks.push(block.trim());
    block = '';
  };
  for (const line of markdown.replaceAll(/<!--[\s\S]*?-->/g, '').split('\n')) {
    if (fence.test(line)) {
      end();
      if (!isCode) codeBlocks++;
      isCode = !isCode;
    } else if (isCode) continue;
    else if (/^#{1,6} /.test(line)) {
      end();
      headings++;
      titles.push(line.replace(/^#+ /, ''));
    } else if (/^\s*\|/.test(line)) {
      end();
      if (!/^[\s|:-]+$/.test(line)) cells.push(...line.split(/(?<!\\)\|/));
    } else if (line.trim() === '') end();
    else {
      if (/^\s*([-*+]|\d+\.) /.test(line)) end();
      block += ` ${line.replace(/^\s*([-*+]|\d+\.|>) /, '')}`;
    }
  }
  end();
  const texts = blocks.map(plain);
  const counted = [...texts, ...titles.map(plain)];
  const inTables = sum(cells.filter((cell) => cell !== '').map((cell) => wordsIn(plain(cell))));
  return {
    words: sum(counted.map(wordsIn)) + inTables,
    wordsInTables: inTables,
    headings,
    codeBlocks,
    sentences: texts.flatMap(sentencesIn),
  };
}

/** The words of a sentence. */
export function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** Code between backticks is one word, a link its text. */
function plain(text: string): string {
  return text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/`[^`]*`/g, 'code')
    .replaceAll(/[*_]{1,2}(\S[^*_]*)[*_]{1,2}/g, '$1')
    .replaceAll(/<[^>]+>/g, '');
}

function sentencesIn(text: string): readonly string[] {
  return text
    .replaceAll(/\b(e\.g|i\.e|etc|vs)\./g, '$1')
    .split(/(?<=[.!?:])["')\]]*\s+(?=[\p{Lu}\p{N}"'(])/u)
    .filter((sentence) => wordsIn(sentence) > 0);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}
