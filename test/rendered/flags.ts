import { Command, InvalidArgumentError } from 'commander';
import { cases } from './all-cases.js';

const known = cases.map(({ name }) => name);

function namesIn(text: string): readonly string[] {
  const names = text.split(',');
  if (names.every((name) => known.includes(name))) return names;
  throw new InvalidArgumentError(`They must be among ${known.join(', ')}.`);
}

/** The flags of `npm run rendered`. */
export const flags = new Command('npm run rendered --')
  .description('print every object that the controllers render for the examples and for the cases of test/rendered')
  .option('--out <file>', 'where the text goes, standard output by default')
  .option('--against <file>', 'exit with 1 and print the differences if the text is not that of the file')
  .option('--cases <names>', 'the names of cases, separated by commas; all by default', namesIn, []);
