import { dirname } from 'node:path/posix';
import type { Transport } from '../../operator/cluster/http/transport.js';
import { pathOf } from '../../operator/cluster/paths.js';
import type { Controller } from '../../operator/runtime/controller/controller.js';
import { isApiError } from '../../operator/runtime/kubernetes/errors.js';

/** The part of a discovery entry that is used here. */
interface Resource {
  readonly name: string;
  readonly shortNames?: readonly string[];
}

/**
 * The controller of a kind by its short name in the API, for example `algo`.
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/#api-verbs
 */
export async function controllerOfShortName(
  name: string,
  controllers: readonly Controller[],
  transport: Transport,
): Promise<Controller | undefined> {
  for (const controller of controllers.filter(({ isPrimary }) => isPrimary)) {
    const { kind } = controller;
    const served = await servedBeside(dirname(pathOf(kind, {})), transport);
    const shortNames = served.find((resource) => resource.name === kind.plural)?.shortNames ?? [];
    if (shortNames.includes(name.toLowerCase())) return controller;
  }
  return undefined;
}

async function servedBeside(path: string, transport: Transport): Promise<readonly Resource[]> {
  try {
    const { resources = [] } = (await transport.json({ method: 'GET', path })) as { resources?: readonly Resource[] };
    return resources;
  } catch (error) {
    if (isApiError(error, 'NotFound')) return [];
    throw error;
  }
}
