import { Command } from 'commander';
import { type TrainingJobResource, trainingJobKind } from '../../imports/index.js';
import type { ObjectName } from '../../operator/runtime/kubernetes/object.js';
import { systemClock } from '../../operator/runtime/ports/clock.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import { resourceNamed } from '../cluster/named-resource.js';
import { endsInTrouble } from '../output/exit-code.js';
import { notFoundError } from '../status/listed-resources.js';
import { inCluster, type PlaceOptions, placedCommand } from '../status/placed-command.js';
import { trainingStatusView } from './view.js';
import { watchTraining } from './watch.js';

/** `reconstruct training VERB NAME`: shows training jobs. */
export function trainingCommand(): Command {
  return new Command('training')
    .description('show training jobs, their ranks and faults, and what to do')
    .exitOverride(endsInTrouble)
    .addCommand(statusCommand())
    .addCommand(watchCommand());
}

/** Exits with 1 if something is wrong, and with 2 for errors. */
function statusCommand(): Command {
  return placedCommand('status', 'show a job with its ranks, its faults, and what is wrong')
    .argument('<name>', 'name of the TrainingJob')
    .action((name: string, options: PlaceOptions) =>
      inCluster(options, async (cluster, namespace) => {
        const job = await trainingJobNamed(cluster, { namespace, name });
        const { lines, isWrong } = trainingStatusView(job, { now: systemClock.now() });
        console.log(lines.join('\n'));
        return isWrong ? 1 : 0;
      }),
    );
}

interface WatchOptions extends PlaceOptions {
  readonly untilDone?: boolean;
}

function watchCommand(): Command {
  return placedCommand('watch', 'show the ranks and the loss of a job while it trains')
    .argument('<name>', 'name of the TrainingJob')
    .option('--until-done', 'exit when the job ends, with code 0 (succeeded), 1 (failed) or 2 (error)')
    .action((name: string, { untilDone = false, ...options }: WatchOptions) =>
      inCluster(options, async (cluster, namespace) =>
        watchTraining(cluster, await trainingJobNamed(cluster, { namespace, name }), { untilDone }),
      ),
    );
}

/** @throws {Error} if it does not exist */
async function trainingJobNamed(cluster: Cluster, name: ObjectName): Promise<TrainingJobResource> {
  const found = await resourceNamed(trainingJobKind, name, cluster);
  if (!found) throw notFoundError(trainingJobKind.kind, name);
  return found as unknown as TrainingJobResource;
}
