import { Command, InvalidArgumentError } from 'commander';
import { numberFrom } from '../number-option.js';
import { kindNames } from './upgraded-kinds.js';

const namesIn = (text: string) => {
  const names = text.split(',');
  const unknown = names.filter((name) => !kindNames.includes(name));
  if (unknown.length === 0) return names;
  throw new InvalidArgumentError(`It must be among ${kindNames.join(', ')}.`);
};

/** The flags of `npm run upgrade`. */
export const flags = new Command('npm run upgrade --')
  .description(
    'upgrade the operator from an earlier revision to the checkout, and fail if a running resource loses a Pod',
  )
  .requiredOption('--from <revision>', 'the earlier revision, as git names it')
  .option('--kinds <names>', `the kinds, separated by commas: ${kindNames.join(', ')}`, namesIn, kindNames)
  .option('--minutes <n>', 'how long the resources are watched after the upgrade', numberFrom(0), 2)
  .option('--keep', 'leave the resources in the cluster', false);
