import { Argument, Command, Option } from 'commander';
import { comparisons } from './comparisons.js';

/** The flags of `npm run compare`. */
export const flags = new Command('npm run compare --')
  .description(
    'install a system and a peer on a cluster in turn, give both the same clients and faults, and print a table',
  )
  .addArgument(new Argument('<system>', 'the system to compare').choices([...comparisons.keys()]))
  .addOption(
    new Option('--only <contestant>', 'measure one of the two').choices(
      [...comparisons.values()].flatMap(({ contestants }) => contestants),
    ),
  )
  .option('--row <text>', 'measure the rows alone that have this text');
