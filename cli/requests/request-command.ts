import type { Command } from 'commander';
import { systemClock } from '../../operator/runtime/ports/clock.js';
import { printable } from '../../operator/telemetry/printable-text.js';
import { resourceArgument } from '../cluster/resource-argument.js';
import { inCluster, type PlaceOptions, placedCommand } from '../status/placed-command.js';
import { request, type requests } from './request.js';

/** `renew NAME` or `rotate NAME`: exits with 2 for errors. */
export function requestCommand(
  verb: string,
  description: string,
  wanted: (typeof requests)[keyof typeof requests],
): Command {
  return placedCommand(verb, description)
    .addArgument(resourceArgument(wanted.kind))
    .action((name: string, options: PlaceOptions) =>
      inCluster(options, async (cluster, namespace) => {
        console.log(printable(await request(cluster, wanted, { namespace, name }, systemClock.now())));
        return 0;
      }),
    );
}
