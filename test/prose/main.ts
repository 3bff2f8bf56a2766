import type { PageFigures } from './page-figures.js';
import { wordsIn } from './page-figures.js';
import { isGuide, isProse, longSentences, pages, questions, total } from './pages.js';

const percent = (part: number, of: number) => `${((100 * part) / Math.max(1, of)).toFixed(1)} %`;

function row(name: string, figures: PageFigures): string {
  const { words, wordsInTables, headings, codeBlocks, sentences } = figures;
  const lengths = sentences.map(wordsIn).toSorted((a, b) => a - b);
  const at = (share: number) => lengths[Math.min(lengths.length - 1, Math.floor(share * lengths.length))] ?? 0;
  const per500 = (count: number) => ((500 * count) / Math.max(1, words)).toFixed(1);
  const columns = [
    String(words),
    `${at(0.5)}/${at(0.9)}`,
    percent(longSentences(figures).length, sentences.length),
    percent(questions(figures).length, sentences.length),
    per500(headings),
    per500(codeBlocks),
    percent(wordsInTables, words),
  ];
  return `${name.padEnd(44)}${columns.map((column) => column.padStart(10)).join('')}`;
}

/** Prints how each page is written, and all of them; with `--sentences PAGE` the long sentences of one. */
function main([option, path]: readonly string[]): void {
  const all = pages();
  if (option === '--sentences') {
    for (const page of all.filter((one) => one.path === path))
      for (const sentence of [...longSentences(page), ...questions(page)]) console.log(`- ${sentence}`);
    return;
  }
  const columns = ['words', 'sentence', 'over 30', 'What/Who', 'headings', 'code', 'in tables'];
  console.log(`${''.padEnd(44)}${columns.map((column) => column.padStart(10)).join('')}`);
  for (const page of all) console.log(row(page.path, page));
  console.log(row('guides', total(all.filter(isGuide))));
  console.log(row('without tables by nature', total(all.filter(isProse))));
  console.log(row('all', total(all)));
}

main(process.argv.slice(2));
