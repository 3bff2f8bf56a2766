import { readFileSync, writeFileSync } from 'node:fs';
import { createTwoFilesPatch } from 'diff';
import { flags } from './flags.js';
import { rendered } from './rendered.js';

interface Flags {
  readonly out?: string;
  readonly against?: string;
  readonly cases: readonly string[];
}

/** Lines of a patch that are printed. */
const mostLines = 400;

async function main(): Promise<void> {
  const { out, against, cases } = flags.parse().opts<Flags>();
  const text = await rendered(cases, (line) => console.error(line));
  if (out !== undefined) writeFileSync(out, text);
  else if (against === undefined) process.stdout.write(text);
  if (against === undefined) return;
  const before = readFileSync(against, 'utf8');
  if (before === text) {
    console.log(`the same ${text.split('\n').length} lines as in ${against}`);
    return;
  }
  const lines = createTwoFilesPatch(against, 'now', before, text, '', '', { context: 6 }).split('\n');
  console.log(lines.slice(0, mostLines).join('\n'));
  if (lines.length > mostLines) console.log(`... ${lines.length - mostLines} more lines; compare files with --out`);
  process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(`rendered: ${error instanceof Error ? error.stack : String(error)}`);
  process.exitCode = 1;
});
