import type { Bug } from '../simulation/bug.js';
import type { Guarantee } from './guarantees-table.js';
import type { PlantedBug } from './planted-bugs.js';
import type { NamedTest } from './titles.js';

/** What the page is made of. */
export interface Proofs {
  readonly guarantees: readonly Guarantee[];
  readonly tests: readonly NamedTest[];
  readonly plantedBugs: readonly PlantedBug[];
  /** Those that the simulation plants itself. */
  readonly simulatedBugs: readonly Pick<Bug, 'line' | 'name'>[];
}

const introduction = `# Tests of the guarantees

Do not edit this page. \`npm run guarantees\` generates it from the titles of the tests and from
[the planted bugs](../../test/guarantees/planted-bugs.ts).

- A title that starts with \`R7\` proves [guarantee](guarantees.md) R7. One title can name several guarantees.
- † marks a file that runs on a real control plane.
- Placeholders such as \`$when\` stand for the values of a table of cases.
- A planted bug is a mistake that was made in the code on purpose. The tests after the arrow failed.
- The [simulation](simulation.md) plants its bugs again each time that its tests run.`;

/** The text of docs/maintaining/guarantees-tests.md. */
export function testsPage({ guarantees, tests, plantedBugs, simulatedBugs }: Proofs): string {
  const sections = guarantees.map(({ number, title }) => {
    const own = tests.filter((test) => test.guarantees.includes(number));
    const planted = plantedBugs.filter(({ guarantee }) => guarantee === number);
    const simulated = simulatedBugs.filter(({ line }) => line === `R${number}`);
    return [
      `## R${number}`,
      `${title}.`,
      byFile(own),
      `Planted bugs:`,
      [
        ...planted.map(({ bug, failing }) => `- ${bug} → ${failing.map(code).join(', ')}`),
        ...simulated.map(({ name }) => `- Planted by the simulation: an operator that ${code(name)}`),
      ].join('\n'),
    ].join('\n\n');
  });
  return `${[introduction, ...sections].join('\n\n')}\n`;
}

/** A list of files, each with the titles in it. */
function byFile(tests: readonly NamedTest[]): string {
  const files = [...new Set(tests.map(({ file }) => file))].toSorted();
  return files
    .flatMap((file) => {
      const own = tests.filter((test) => test.file === file);
      const mark = own.some(({ isReal }) => isReal) ? ' †' : '';
      return [`- [${file}](../../${file})${mark}`, ...own.map(({ title }) => `  - ${code(title)}`)];
    })
    .join('\n');
}

/** Inline code. A backtick would end it, so an apostrophe stands for it. */
function code(text: string): string {
  return `\`${text.replaceAll('`', "'").replaceAll(/\s+/g, ' ')}\``;
}
