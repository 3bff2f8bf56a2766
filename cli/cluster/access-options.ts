import type { Command } from 'commander';

/** The options with which a user names a cluster, as for `kubectl`. */
export interface AccessOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** Adds these options to a command. */
export function withAccessOptions(command: Command): Command {
  return command
    .option('--kubeconfig <file>', 'kubeconfig file of the cluster (default: same as kubectl)')
    .option('--context <name>', 'context of the kubeconfig (default: its current context)');
}
