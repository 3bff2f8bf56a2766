import type { Transport } from '../../operator/cluster/transport.js';
import { sleep, systemClock } from '../../operator/runtime/clock.js';
import { isApiError } from '../../operator/runtime/errors.js';
import { groupOf, type ObjectKind } from '../../operator/runtime/kinds.js';
import type { Manifest } from '../../operator/runtime/object.js';

/** Milliseconds for an API server to serve a kind whose definition it has. */
const patience = 30_000;
const pause = 50;

interface ResourceList {
  readonly resources: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
}

/**
 * The kind of an object as the API server addresses it; waits for one whose definition has just been applied.
 *
 * @throws {Error} when it is not served
 */
export async function servedKind(
  transport: Transport,
  { apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>,
): Promise<ObjectKind> {
  const group = groupOf(apiVersion);
  const version = apiVersion.slice(group === '' ? 0 : group.length + 1);
  const deadline = systemClock.monotonic() + patience;
  do {
    const served = await resourcesOf(transport, `/${group === '' ? 'api' : 'apis'}/${apiVersion}`);
    const found = served.find((resource) => resource.kind === kind && !resource.name.includes('/'));
    if (found) return { group, version, kind, plural: found.name, namespaced: found.namespaced };
    await sleep(systemClock, pause, new AbortController().signal);
  } while (systemClock.monotonic() < deadline);
  throw new Error(`the API server does not serve ${kind} of ${apiVersion}: use a newer cluster`);
}

async function resourcesOf(transport: Transport, path: string): Promise<ResourceList['resources']> {
  try {
    return ((await transport.json({ method: 'GET', path })) as ResourceList).resources;
  } catch (error) {
    if (isApiError(error, 'NotFound')) return [];
    throw error;
  }
}
