import { Command } from 'commander';
import { numberFrom } from '../number-option.js';

/** The flags of `npm run bench:certificates`. */
export const flags = new Command('npm run bench:certificates --')
  .description('measure an operator with Certificates at rest, on a control plane of its own')
  .option('--certificates <n>', 'how many there are', numberFrom(1), 1000)
  .option('--minutes <n>', 'how long requests at rest are counted', numberFrom(0.1), 5)
  .option('--node-flags <flags>', 'instead of those of the image, separated by spaces')
  .option('--out <file>', 'for the report, as JSON');
