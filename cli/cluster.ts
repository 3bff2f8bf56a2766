import { Command } from 'commander';
import { stopSignal } from '../operator/process/stop-signal.js';
import { aborted } from '../operator/runtime/concurrency/abort-signals.js';
import { ControlPlane } from '../operator/testing/index.js';
import { hasKubectl, shellAccess } from './cluster/shell-access.js';

interface ClusterOptions {
  readonly nodes: string;
}

/** `reconstruct cluster`: a control plane with simulated nodes, for a controller that is being written. */
export function clusterCommand(): Command {
  return new Command('cluster')
    .description('start a control plane with simulated nodes on this machine until Ctrl-C')
    .option('--nodes <number>', 'number of simulated nodes', '3')
    .action((options: ClusterOptions) => run(options));
}

async function run({ nodes }: ClusterOptions): Promise<void> {
  await using controlPlane = await ControlPlane.start({ nodes: Number(nodes) });
  // From here on, a signal must stop the cluster in order. Earlier processes end with this process.
  const asked = stopSignal('SIGINT', 'SIGTERM', 'SIGHUP');
  const { kubeconfig, location } = controlPlane;
  const access = { kubeconfig, kubectl: (await hasKubectl()) ? undefined : location.kubectl };
  const lines = [
    `started a control plane with ${nodes} simulated nodes: Pods become ready, but no container runs`,
    '',
    ...shellAccess(access),
    '',
    'press Ctrl-C to stop the cluster and delete its data',
  ];
  console.log(lines.join('\n'));
  await aborted(asked);
}
