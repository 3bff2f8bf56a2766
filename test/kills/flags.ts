import { Argument, Command } from 'commander';
import { numberFrom } from '../number-option.js';

/** The kinds whose Pods can be killed. */
export const killedKinds = ['database', 'kafka'] as const;
export type KilledKind = (typeof killedKinds)[number];

/** The flags of `npm run kills`. */
export const flags = new Command('npm run kills --')
  .description(
    'kill the primary of a Database, or nodes of a KafkaCluster, again and again, and look whether a row or record that was acknowledged is lost',
  )
  .addArgument(new Argument('[kind]', 'the kind to kill').choices(killedKinds).default('database'))
  .option('--kills <n>', 'how often', numberFrom(1), 100);
