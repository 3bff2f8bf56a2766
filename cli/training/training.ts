import { Command } from 'commander';
import { type TrainingJobResource, trainingJobKind } from '../../imports/index.js';
import type { ObjectName } from '../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import { resourceNamed } from '../cluster/named-resource.js';
import { resourceArgument } from '../cluster/resource-argument.js';
import { endsInTrouble } from '../output/exit-code.js';
import { notFoundError } from '../status/listed-resources.js';
import { inCluster, type PlaceOptions, placedCommand } from '../status/placed-command.js';
import { watchTraining } from './watch.js';

/** `reconstruct training VERB NAME`: watches training jobs. */
export function trainingCommand(): Command {
  return new Command('training')
    .description('watch training jobs')
    .exitOverride(endsInTrouble)
    .addCommand(watchCommand());
}

interface WatchOptions extends PlaceOptions {
  readonly untilDone?: boolean;
}

function watchCommand(): Command {
  return placedCommand('watch', 'show the ranks and the loss of a job while it trains')
    .addArgument(resourceArgument(trainingJobKind))
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
