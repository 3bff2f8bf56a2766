import { Command } from 'commander';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import { clusterAt } from '../cluster/cluster-access.js';
import { endsInTrouble, troubleExitCode } from '../output/exit-code.js';

/** The options with which a user names a namespace of a cluster. */
export interface PlaceOptions {
  readonly namespace?: string;
  readonly kubeconfig?: string;
}

/** A command with these options. */
export function placedCommand(verb: string, description: string): Command {
  return new Command(verb)
    .description(description)
    .option('-n, --namespace <namespace>', 'namespace (default: that of the kubeconfig)')
    .option('--kubeconfig <file>', 'kubeconfig file of the cluster (default: same as kubectl)')
    .exitOverride(endsInTrouble);
}

/** Runs an act on the cluster of the user. The process exits with the result of the act, and with 2 for errors. */
export async function inCluster(
  { kubeconfig, namespace }: PlaceOptions,
  act: (cluster: Cluster, namespace: string) => Promise<number>,
): Promise<void> {
  process.exitCode = troubleExitCode; // for all errors from here on
  await using at = await clusterAt(kubeconfig);
  process.exitCode = await act(at.cluster, namespace ?? at.namespace);
}
