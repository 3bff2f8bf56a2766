import { Command } from 'commander';
import type { Transport } from '../../operator/cluster/http/transport.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import { type AccessOptions, withAccessOptions } from '../cluster/access-options.js';
import { endsInTrouble, troubleExitCode } from '../output/exit-code.js';

/** The options with which a user names a namespace of a cluster. */
export interface PlaceOptions extends AccessOptions {
  readonly namespace?: string;
}

/** A command with these options. */
export function placedCommand(verb: string, description: string): Command {
  const command = new Command(verb)
    .description(description)
    .option('-n, --namespace <namespace>', 'namespace (default: that of the kubeconfig)');
  return withAccessOptions(command).exitOverride(endsInTrouble);
}

/** Runs an act on the cluster of the user. The process exits with the result of the act, and with 2 for errors. */
export async function inCluster(
  options: PlaceOptions,
  act: (cluster: Cluster, namespace: string, access: { readonly transport: Transport }) => Promise<number>,
): Promise<void> {
  process.exitCode = troubleExitCode; // for all errors from here on
  const { clusterAt } = await import('../cluster/cluster-access.js');
  await using at = await clusterAt(options);
  process.exitCode = await act(at.cluster, options.namespace ?? at.namespace, at.cluster);
}
