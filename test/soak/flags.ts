import { Command } from 'commander';
import { numberFrom } from '../number-option.js';

/** The flags of `npm run soak`. */
export const flags = new Command('npm run soak --')
  .description('let one operator work while resources are edited, and look what grows')
  .option('--minutes <n>', 'how long', numberFrom(1), 60)
  .option('--resources <n>', 'how many there are', numberFrom(1), 2000)
  .option('--edits-per-second <n>', 'of one resource after the other', numberFrom(0.001), 1)
  .option('--may-grow <n>', 'KiB a minute by which memory may grow', numberFrom(0), 100)
  .option('--node-flags <flags>', 'instead of those of the image, separated by spaces')
  .option('--out <file>', 'for the report, as JSON');
