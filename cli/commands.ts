import type { Command } from 'commander';
import { systemTools } from './systems.js';

/** The commands, each in a module of its own: one that runs does not wait for what the others import. */
export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  demo: async () => (await import('./demo/demo.js')).demoCommand(),
  cluster: async () => (await import('./cluster.js')).clusterCommand(),
  import: async () => (await import('./import.js')).importCommand(),
  plan: async () => (await import('./plan.js')).planCommand(),
  diff: async () => (await import('./diff.js')).diffCommand(),
  status: async () => (await import('./status.js')).statusCommand(),
  check: async () => (await import('./check/check.js')).checkCommand(),
  ...Object.fromEntries(systemTools.flatMap((system) => Object.entries(system.commands ?? {}))),
  run: async () => (await import('./run.js')).runCommand(),
  completion: async () => (await import('./completion/completion.js')).completionCommand(),
};
