import { Command } from 'commander';
import { secondsOf } from '../../crds/index.js';
import { type KafkaClusterResource, kafkaClusterKind } from '../../imports/index.js';
import { systemClock } from '../../operator/runtime/ports/clock.js';
import { resourceArgument } from '../cluster/resource-argument.js';
import { endsInTrouble } from '../output/exit-code.js';
import { inCluster, type PlaceOptions, placedCommand } from '../status/placed-command.js';
import { drain } from './drain.js';
import { lagView } from './lag-view.js';
import { rebalanceView } from './rebalance-view.js';
import { kafkaClusterNamed, kafkaTopics } from './resources.js';
import { topicsView } from './topics-view.js';

/** `reconstruct kafka VERB NAME`: shows parts of Kafka clusters, and drains brokers. */
export function kafkaCommand(): Command {
  return new Command('kafka')
    .description('show topics, lag and moves of Kafka clusters, and drain brokers')
    .exitOverride(endsInTrouble)
    .addCommand(topicsCommand())
    .addCommand(clusterCommand('lag', 'show the consumer groups that are the furthest behind', lagView))
    .addCommand(clusterCommand('rebalance', 'show which replicas move, and how long it takes', rebalanceView))
    .addCommand(drainCommand());
}

function topicsCommand(): Command {
  return placedCommand('topics', 'list the KafkaTopics of a cluster, those that are not ready first')
    .addArgument(resourceArgument(kafkaClusterKind))
    .action((name: string, options: PlaceOptions) =>
      inCluster(options, async (cluster, namespace) => {
        console.log(topicsView(await kafkaTopics(cluster, { namespace, name })).join('\n'));
        return 0;
      }),
    );
}

function drainCommand(): Command {
  return placedCommand('drain', 'move all replicas off a broker, so that it can be removed')
    .addArgument(resourceArgument(kafkaClusterKind))
    .argument('<broker>', 'ID of the broker, or the name of its Pod')
    .option('--cancel', 'let the broker have replicas again')
    .option('--dry-run', 'show the plan and write nothing')
    .option('--timeout <duration>', 'time to wait for the end of the moves', '1h')
    .action((name: string, broker: string, options: PlaceOptions & DrainOptions) =>
      inCluster(options, (cluster, namespace) => {
        const { cancel = false, dryRun = false, timeout } = options;
        const patience = 1_000 * secondsOf(timeout);
        const request = { name: { namespace, name }, broker, cancel, dryRun, patience };
        const { signal } = new AbortController();
        return drain(request, { cluster, clock: systemClock, signal, print: (line) => console.log(line) });
      }),
    );
}

interface DrainOptions {
  readonly cancel?: boolean;
  readonly dryRun?: boolean;
  readonly timeout: string;
}

function clusterCommand(
  verb: string,
  description: string,
  view: (kafka: KafkaClusterResource) => readonly string[],
): Command {
  return placedCommand(verb, description)
    .addArgument(resourceArgument(kafkaClusterKind))
    .action((name: string, options: PlaceOptions) =>
      inCluster(options, async (cluster, namespace) => {
        console.log(view(await kafkaClusterNamed(cluster, { namespace, name })).join('\n'));
        return 0;
      }),
    );
}
