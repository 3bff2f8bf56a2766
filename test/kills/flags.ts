import { Argument, Command } from 'commander';
import { numberFrom } from '../number-option.js';

/** The kinds whose Pods can be killed. */
export const killedKinds = ['database', 'kafka', 'training'] as const;
export type KilledKind = (typeof killedKinds)[number];

/** The flags of `npm run kills`. */
export const flags = new Command('npm run kills --')
  .description(
    'kill the primary of a Database, nodes of a KafkaCluster, or ranks of a TrainingJob, again and again, and count the rows, records or steps that are lost',
  )
  .addArgument(new Argument('[kind]', 'the kind to kill').choices(killedKinds).default('database'))
  .option('--kills <n>', 'how often', numberFrom(1), 100);
