import { Command } from 'commander';
import type { Controller } from '../operator/runtime/controller/controller.js';
import { type ClusterAt, clusterAt } from './cluster/cluster-access.js';
import { withWaitNotice } from './cluster/wait-notice.js';
import { controllersIn } from './controllers/loaded-controllers.js';
import {
  allBeside,
  controllerFor,
  controllerNamed,
  kindsRun,
  resourcesAmong,
} from './controllers/resource-controllers.js';
import { type Differences, differencesOf } from './diff/differences.js';
import { textOf } from './diff/print.js';
import { existing, proposed } from './diff/proposal.js';
import { controllerOfShortName } from './diff/short-names.js';
import { manifestsIn } from './files/yaml-objects.js';
import { endsInTrouble, troubleExitCode } from './output/exit-code.js';

interface DiffOptions {
  readonly file?: string;
  readonly namespace?: string;
  readonly output: string;
  readonly kubeconfig?: string;
}

const outputs = ['text', 'json'];

/** Exit codes like those of `kubectl diff`. A rejected or blocked change is an error, so that CI does not merge it. */
const changed = 1;

/** `reconstruct diff [MODULE] (-f FILE | KIND/NAME)`: what the operator would change in a live cluster. */
export function diffCommand(): Command {
  return new Command('diff')
    .description('show the changes that the operator would make in a cluster for a resource, without writing')
    .argument('[module]', 'ES module that exports controllers (default: those of this package)')
    .argument('[resource]', 'KIND/NAME of a resource in the cluster')
    .option('-f, --file <file>', 'YAML file of a new or existing resource; - for standard input')
    .option('-n, --namespace <namespace>', 'namespace of the resource (default: that of the kubeconfig)')
    .option('-o, --output <format>', outputs.join(' or '), 'text')
    .option('--kubeconfig <file>', 'kubeconfig file of the cluster (default: same as kubectl)')
    .exitOverride(endsInTrouble)
    .action(async (first: string | undefined, second: string | undefined, options: DiffOptions) => {
      process.exitCode = troubleExitCode; // for all errors from here on
      const found = await diff(asked(first, second, options), options);
      const text =
        options.output === 'json' ? `${JSON.stringify(found, undefined, 2)}\n` : found.map(coloured).join('');
      process.stdout.write(text);
      process.exitCode = codeFor(found);
    });
}

function codeFor(found: readonly Differences[]): number {
  if (found.some(({ rejected, blocked }) => rejected || blocked)) return troubleExitCode;
  if (found.some(({ changes }) => changes.length > 0)) return changed;
  return found.every(({ known }) => known) ? 0 : troubleExitCode;
}

interface Asked {
  readonly module: string | undefined;
  /** `KIND/NAME`, if no file is given. */
  readonly resource: string | undefined;
}

/** The first argument is a module if a file or a second argument is given. */
function asked(first: string | undefined, second: string | undefined, { file, output }: DiffOptions): Asked {
  if (!outputs.includes(output))
    throw new Error(`--output: Invalid value: ${JSON.stringify(output)}: must be ${outputs.join(' or ')}`);
  const isAlone = file === undefined && second === undefined;
  if (isAlone && first !== undefined && /\.[cm]?js$/.test(first)) {
    throw new Error(`specify a resource as KIND/NAME after ${first}, or a file with --file`);
  }
  const [module, resource] = isAlone ? [undefined, first] : [first, second];
  const isResource = file !== undefined && module !== undefined && !/\.[cm]?[jt]s$/.test(module);
  if ((file === undefined) === (resource === undefined) || isResource) {
    throw new Error('specify either a resource as KIND/NAME or a file with --file, not both');
  }
  return { module, resource };
}

/** @throws {Error} from its action, with a message for the user */
async function diff({ module, resource }: Asked, options: DiffOptions): Promise<readonly Differences[]> {
  const { controllers } = await controllersIn(module);
  await using at = await clusterAt(options.kubeconfig);
  using _ = withWaitNotice(at.origin);
  const { cluster } = at;
  const namespace = options.namespace ?? at.namespace;
  if (resource !== undefined) return [await ofExisting(controllers, resource, { cluster, namespace })];
  const found: Differences[] = [];
  for (const manifest of resourcesAmong(await manifestsIn(options.file ?? '-'), controllers)) {
    const controller = controllerFor(controllers, manifest);
    const metadata = { ...(controller.kind.namespaced && { namespace }), ...manifest.metadata };
    const planned = await proposed(controller, { ...manifest, metadata }, cluster);
    found.push(await differencesOf(allBeside(controller, controllers), planned, cluster));
  }
  return found;
}

async function ofExisting(
  controllers: readonly Controller[],
  resource: string,
  { cluster, namespace }: Pick<ClusterAt, 'cluster' | 'namespace'>,
): Promise<Differences> {
  const [kind = '', name = '', ...rest] = resource.split('/');
  if (name === '' || rest.length > 0)
    throw new Error(`resource: Invalid value: ${JSON.stringify(resource)}: must be KIND/NAME`);
  const controller =
    controllerNamed(controllers, kind) ?? (await controllerOfShortName(kind, controllers, cluster.transport));
  if (!controller) throw new Error(`no controller for ${kind}; there are controllers for ${kindsRun(controllers)}`);
  const at = controller.kind.namespaced ? { namespace, name } : { name };
  return differencesOf(allBeside(controller, controllers), await existing(controller, at, cluster), cluster);
}

function coloured(found: Differences): string {
  return textOf(found, process.stdout.isTTY === true && !process.env['NO_COLOR']);
}
