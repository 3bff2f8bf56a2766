import { Command } from 'commander';
import { leaderElectionKind } from '../../imports/index.js';
import { systemClock } from '../../operator/runtime/ports/clock.js';
import { printable } from '../../operator/telemetry/printable-text.js';
import { resourceArgument } from '../cluster/resource-argument.js';
import { endsInTrouble } from '../output/exit-code.js';
import { inCluster, type PlaceOptions, placedCommand } from '../status/placed-command.js';
import { switchover } from './switchover.js';

/** `reconstruct leader VERB NAME`: changes the leaders of elections. */
export function leaderCommand(): Command {
  return new Command('leader')
    .description('change the leaders of LeaderElections')
    .exitOverride(endsInTrouble)
    .addCommand(switchoverCommand());
}

interface SwitchoverOptions extends PlaceOptions {
  readonly to?: string;
  readonly acceptDataLoss?: boolean;
}

function switchoverCommand(): Command {
  return placedCommand('switchover', 'make another Pod the leader, in order and without a lost write')
    .addArgument(resourceArgument(leaderElectionKind))
    .option('--to <pod>', 'name of the Pod (default: the replica that suits best)')
    .option('--accept-data-loss', 'make the Pod the leader although it may lack confirmed writes; needs --to')
    .action((name: string, { to, acceptDataLoss: acceptsLoss = false, ...options }: SwitchoverOptions) =>
      inCluster(options, async (cluster, namespace) => {
        const wanted = { name: { namespace, name }, to, acceptsLoss, now: systemClock.now() };
        console.log(printable(await switchover(cluster, wanted)));
        return 0;
      }),
    );
}
