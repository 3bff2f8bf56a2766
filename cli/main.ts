#!/usr/bin/env node
import { Command } from 'commander';
import { messageOf } from '../operator/runtime/kubernetes/errors.js';
import { printable } from '../operator/telemetry/printable-text.js';
import { commands } from './commands.js';
import { ownPackage } from './files/own-package.js';
import { endsInTrouble } from './output/exit-code.js';

const reconstruct = new Command('reconstruct')
  .description('Kubernetes operators written with cdk8s constructs')
  .version(ownPackage().version)
  .exitOverride(endsInTrouble);

try {
  const all = Object.entries(commands);
  const named = all.filter(([name]) => name === process.argv[2]);
  // The help lists all of them.
  for (const [, command] of named.length > 0 ? named : all) reconstruct.addCommand(await command());
  await reconstruct.parseAsync();
} catch (error) {
  console.error(`reconstruct: ${messageOf(error).split('\n').map(printable).join('\n')}`);
  process.exitCode ||= 1;
}
