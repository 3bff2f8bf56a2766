#!/usr/bin/env node
import { Command } from 'commander';
import { messageOf } from '../operator/runtime/kubernetes/errors.js';
import { printable } from '../operator/telemetry/printable-text.js';
import { algoCommand } from './algo.js';
import { demoCommand } from './demo/demo.js';
import { diffCommand } from './diff.js';
import { endsInTrouble } from './exit-code.js';
import { importCommand } from './import.js';
import { ownPackage } from './own-package.js';
import { planCommand } from './plan.js';
import { runCommand } from './run.js';

const reconstruct = new Command('reconstruct')
  .description('Kubernetes operators written with cdk8s constructs')
  .version(ownPackage().version)
  .exitOverride(endsInTrouble)
  .addCommand(demoCommand())
  .addCommand(importCommand())
  .addCommand(planCommand())
  .addCommand(diffCommand())
  .addCommand(algoCommand())
  .addCommand(runCommand());

try {
  await reconstruct.parseAsync();
} catch (error) {
  console.error(`reconstruct: ${messageOf(error).split('\n').map(printable).join('\n')}`);
  process.exitCode ||= 1;
}
