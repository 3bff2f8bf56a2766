import type { Controller } from '../../operator/runtime/controller/controller.js';
import type { AccessOptions } from '../cluster/access-options.js';
import { type ClusterAt, clusterAt } from '../cluster/cluster-access.js';
import { withWaitNotice } from '../cluster/wait-notice.js';
import { controllersIn } from '../controllers/loaded-controllers.js';
import {
  allBeside,
  controllerFor,
  controllerNamed,
  kindsRun,
  resourcesAmong,
} from '../controllers/resource-controllers.js';
import { manifestsIn } from '../files/yaml-objects.js';
import { type Differences, differencesOf } from './differences.js';
import { textOf } from './print.js';
import { existing, proposed } from './proposal.js';
import { controllerOfShortName } from './short-names.js';

/** What a user wants to compare. */
export interface AskedDiff {
  readonly module: string | undefined;
  /** `KIND/NAME`, if no file is given. */
  readonly resource: string | undefined;
}

/** Where it is compared. */
export interface DiffPlace extends AccessOptions {
  readonly file?: string;
  readonly namespace?: string;
}

/**
 * The changes of one resource in the cluster, or of each resource in a file.
 * @throws {Error} with a message for the user
 */
export async function clusterDiff(
  { module, resource }: AskedDiff,
  options: DiffPlace,
): Promise<readonly Differences[]> {
  const { controllers } = await controllersIn(module);
  await using at = await clusterAt(options);
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

/** The text for people. */
export function differencesText(found: readonly Differences[]): string {
  const isColoured = process.stdout.isTTY === true && !process.env['NO_COLOR'];
  return found.map((one) => textOf(one, isColoured)).join('');
}
