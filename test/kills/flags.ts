import { Command } from 'commander';
import { numberFrom } from '../number-option.js';

/** The flags of `npm run kills`. */
export const flags = new Command('npm run kills --')
  .description('kill the primary of a Database again and again, and look whether a row that was acknowledged is lost')
  .option('--kills <n>', 'how often', numberFrom(1), 100);
