import { Argument, Command, Option } from 'commander';
import { numberFrom } from '../number-option.js';
import { killedSystems } from './killed-systems.js';
import type { SystemKills } from './system-kills.js';

const all: readonly SystemKills[] = [...killedSystems.values()];
const listed = (words: readonly string[]) => new Intl.ListFormat('en', { type: 'disjunction' }).format(words);

/** The flags of `npm run kills`. */
export const flags = new Command('npm run kills --')
  .description(
    `kill ${listed(all.map(({ victims }) => victims))}, again and again, and count the ${listed(all.map(({ counted }) => counted))} that are lost`,
  )
  .addArgument(new Argument('[kind]', 'the kind to kill').choices([...killedSystems.keys()]).default('database'))
  .option('--kills <n>', 'how often', numberFrom(1), 100)
  .addOption(new Option('--part <part>', 'kill this alone').choices(all.flatMap(({ parts = [] }) => parts)));
