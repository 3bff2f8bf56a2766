import { Command } from 'commander';
import { numberFrom } from '../number-option.js';

/** The flags of `npm run chaos`. */
export const flags = new Command('npm run chaos --')
  .description('break what can be broken around two replicas of the operator, and look whether every promise holds')
  .option('--minutes <n>', 'how long', numberFrom(0), 10)
  .option('--seed <n>', 'who does what, and which requests meet a fault', numberFrom(0), Date.now() % 1_000_000)
  .option('--resources <n>', 'how many there are at first', numberFrom(1), 200);
