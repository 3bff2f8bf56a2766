import { type Command, Option } from 'commander';
import { stopSignal } from '../operator/process/stop-signal.js';
import { systemClock } from '../operator/runtime/ports/clock.js';
import { withWaitNotice } from './cluster/wait-notice.js';
import { troubleExitCode } from './output/exit-code.js';
import { type PlaceOptions, placedCommand } from './status/placed-command.js';

interface StatusOptions extends PlaceOptions {
  readonly module?: string;
  readonly allNamespaces?: boolean;
  readonly watch?: boolean;
  readonly output: 'text' | 'json';
}

/** `reconstruct status [KIND [NAME]]`: exits with 1 if something is wrong, and with 2 for errors. */
export function statusCommand(): Command {
  return placedCommand('status', 'show what is wrong with resources, and what to do')
    .argument('[kind]', 'kind as for kubectl, or KIND/NAME (default: the kinds of all operators)')
    .argument('[name]', 'name of a resource (default: all)')
    .option('--module <module>', 'ES module that exports controllers (default: those of this package)')
    .addOption(new Option('-A, --all-namespaces', 'show all namespaces').conflicts('namespace'))
    .option('-w, --watch', 'redraw until Ctrl-C')
    .addOption(new Option('-o, --output <format>', 'text or json').choices(['text', 'json']).default('text'))
    .action(async (kind: string | undefined, name: string | undefined, options: StatusOptions) => {
      process.exitCode = troubleExitCode; // for all errors from here on
      process.exitCode = (await status(named(kind, name, options), options)) ? 1 : 0;
    });
}

interface Named {
  readonly kind?: string;
  readonly name?: string;
}

/**
 * The kind and the name, which a user may also write as KIND/NAME.
 * @throws {Error} if they contradict each other or an option
 */
export function named(
  kind: string | undefined,
  name: string | undefined,
  { allNamespaces }: Pick<StatusOptions, 'allNamespaces'>,
): Named {
  const [first = '', second, ...rest] = kind?.split('/') ?? [];
  if (
    kind !== undefined &&
    (rest.length > 0 || first === '' || second === '' || (second !== undefined && name !== undefined))
  )
    throw new Error(
      `kind: Invalid value: ${JSON.stringify(kind)}: must be KIND or KIND/NAME, and a name must be given once`,
    );
  const one = name ?? second;
  if (allNamespaces && one !== undefined)
    throw new Error('--all-namespaces: must not be set together with a name; set --namespace');
  return { ...(kind !== undefined && { kind: first }), ...(one !== undefined && { name: one }) };
}

/** @returns whether a person should act */
async function status(asked: Named, options: StatusOptions): Promise<boolean> {
  // Loaded here, so that a shell completes the command without the controllers.
  const [{ controllersIn }, { clusterAt }, { lookAt }, { printStatus, watchStatus }] = await Promise.all([
    import('./controllers/loaded-controllers.js'),
    import('./cluster/cluster-access.js'),
    import('./status/status-look.js'),
    import('./status/watch-status.js'),
  ]);
  const loaded = await controllersIn(options.module);
  await using at = await clusterAt(options);
  using _ = withWaitNotice(at.origin);
  const namespace = options.allNamespaces ? undefined : (options.namespace ?? at.namespace);
  const get = (path: string) => at.cluster.transport.json({ method: 'GET', path });
  const look = await lookAt({ ...asked, namespace }, { loaded, cluster: at.cluster, get });
  const display = { output: process.stdout, clock: systemClock, format: options.output };
  // Awaited here, because the connection closes with this function.
  if (!options.watch) return await printStatus(look, display);
  return await watchStatus(look, display, stopSignal('SIGINT', 'SIGTERM'));
}
