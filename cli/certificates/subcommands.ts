import { type Command, Option } from 'commander';
import type { ObjectName } from '../../operator/runtime/kubernetes/object.js';
import { systemClock } from '../../operator/runtime/ports/clock.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import { printable } from '../../operator/telemetry/printable-text.js';
import { inCluster, type PlaceOptions, placedCommand } from '../status/placed-command.js';
import { request, type requests } from './request.js';
import type { FoundResources } from './resources.js';
import { statusView } from './view.js';

interface StatusOptions extends PlaceOptions {
  readonly allNamespaces?: boolean;
}

/** What a `status` command shows. */
interface Shown {
  readonly description: string;
  readonly argument: string;
  readonly resources: (cluster: Cluster, namespace: string | undefined) => Promise<FoundResources>;
  /** The part of the resources that belongs to a name. */
  readonly one: (found: FoundResources, name: ObjectName) => FoundResources;
}

/** `status [name]`: exits with 1 if something is wrong, and with 2 for errors. */
export function statusCommand({ description, argument, resources, one }: Shown): Command {
  return placedCommand('status', description)
    .argument('[name]', argument)
    .addOption(new Option('-A, --all-namespaces', 'show all namespaces').conflicts('namespace'))
    .action((name: string | undefined, options: StatusOptions) =>
      inCluster(options, async (cluster, namespace) => {
        if (options.allNamespaces && name !== undefined)
          throw new Error('--all-namespaces: must not be set together with a name; set --namespace');
        const found = await resources(cluster, options.allNamespaces ? undefined : namespace);
        const shown = name === undefined ? found : one(found, { namespace, name });
        const { lines, isWrong } = statusView(shown, systemClock.now());
        console.log(lines.join('\n'));
        return isWrong ? 1 : 0;
      }),
    );
}

/** `renew NAME` or `rotate NAME`: exits with 2 for errors. */
export function requestCommand(
  verb: string,
  description: string,
  wanted: (typeof requests)[keyof typeof requests],
): Command {
  return placedCommand(verb, description)
    .argument('<name>', `name of the ${wanted.kind.kind}`)
    .action((name: string, options: PlaceOptions) =>
      inCluster(options, async (cluster, namespace) => {
        console.log(printable(await request(cluster, wanted, { namespace, name }, systemClock.now())));
        return 0;
      }),
    );
}
