import { definedBy } from '../../src/install/definitions.js';
import type { Loaded } from '../controllers/loaded-controllers.js';
import { lackingAccess } from './access-reviews.js';
import { type ClusterView, definingControllers } from './cluster-view.js';
import { definitionFindings } from './findings/definitions.js';
import type { Finding } from './findings/finding.js';
import { imageFindings } from './findings/image-pulls.js';
import { type InstalledOperator, installedOperator, type Place } from './findings/installed-operator.js';
import { leaderFindings } from './findings/leader.js';
import { operatorFindings } from './findings/operator-pods.js';
import { optionalFindings, optionalKinds } from './findings/optional-kinds.js';
import { neededAccess, permissionFindings } from './findings/permissions.js';
import { stalledFindings } from './findings/stalled-resources.js';

/** What is checked, and how it is reported. */
export interface CheckOptions {
  readonly place: Place;
  readonly loaded: Loaded;
  /** Whether the controllers are those of a given module, whose CRDs are not part of this package. */
  readonly isModule: boolean;
  /** The version of this package. */
  readonly version: string;
  /** The name of the command line, for its commands. */
  readonly program: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Everything that is found about an installation. Without an operator, only its CRDs are checked. */
export async function checkInstallation(view: ClusterView, options: CheckOptions): Promise<readonly Finding[]> {
  const { place, loaded, version } = options;
  const deployment = await view.deployment(place);
  const live = 'value' in deployment ? deployment.value : undefined;
  const installed = installedOperator(live, place, loaded.controllers);
  const isAbsent = 'value' in deployment && live === undefined;
  const pods = isAbsent ? { value: [] } : await view.operatorPods(place, live);
  const { image, foreign } = installed;
  const definitions = await definitionPart(view, installed, options);
  const operator = operatorFindings({ place, deployment, pods, image, foreign, version });
  if (isAbsent) return [...definitions, ...operator];
  const [permissions, leader, images, resources, optional] = await Promise.all([
    permissionPart(view, installed),
    leaderPart(view, { installed, pods, now: options.now }),
    view.managedPods(installed).then(imageFindings),
    view.resources(installed).then((kinds) => stalledFindings(kinds, options.program)),
    optionalPart(view, installed),
  ]);
  return [...definitions, ...operator, ...permissions, ...leader, ...images, ...resources, ...optional];
}

async function definitionPart(
  view: ClusterView,
  installed: InstalledOperator,
  { loaded, isModule, version }: CheckOptions,
): Promise<readonly Finding[]> {
  const controllers = definingControllers(installed);
  const all = definedBy({ controllers, crds: isModule ? loaded.definitions : [] });
  return definitionFindings({ definitions: all, version }, await view.definitions());
}

async function permissionPart(view: ClusterView, installed: InstalledOperator): Promise<readonly Finding[]> {
  const needed = neededAccess(installed);
  return permissionFindings(installed, needed, await lackingAccess(view.cluster, needed, installed));
}

interface LeaderPart {
  readonly installed: InstalledOperator;
  readonly pods: Awaited<ReturnType<ClusterView['operatorPods']>>;
  readonly now: number;
}

async function leaderPart(view: ClusterView, { installed, pods, now }: LeaderPart): Promise<readonly Finding[]> {
  const { lease: name } = installed;
  const lease = name === undefined ? { value: undefined } : await view.lease(name);
  return leaderFindings({ name, lease, pods, now });
}

async function optionalPart(view: ClusterView, { controllers }: InstalledOperator): Promise<readonly Finding[]> {
  return optionalFindings(controllers, await view.served(optionalKinds(controllers)));
}
