import type { ObjectKind } from '../runtime/kubernetes/kinds.js';
import { listedIn } from './answers.js';
import { versionPathOf } from './paths.js';

interface Group {
  readonly name: string;
  readonly versions: readonly { readonly version: string }[];
}

/**
 * The versions in which a server serves a kind. An empty result takes proof: the list of all groups without its group,
 * or, for every version of its group, a list of resources without it. A 404 proves nothing here: a proxy returns it for
 * any path, and a server returns it for a version that was removed meanwhile.
 *
 * Every authenticated user may read discovery, by the role `system:discovery`.
 * @param get the server's response to a GET
 * @throws {ApiError} if a part of it could not be read
 * @see https://kubernetes.io/docs/concepts/overview/kubernetes-api/#discovery-api
 */
export async function servedVersions(
  { group, plural }: ObjectKind,
  get: (path: string) => Promise<unknown>,
): Promise<readonly string[]> {
  const versions = await versionsOf(group, get);
  const lists = versions.map(async (version) => {
    const path = versionPathOf({ group, version });
    const of = { kind: 'APIResourceList', field: 'resources' };
    return listedIn<{ readonly name: string }>(await get(path), `GET ${path}`, of);
  });
  const served = (await Promise.all(lists)).map((resources) => resources.some(({ name }) => name === plural));
  return versions.filter((_, index) => served[index]);
}

async function versionsOf(group: string, get: (path: string) => Promise<unknown>): Promise<readonly string[]> {
  if (group === '') return listedIn(await get('/api'), 'GET /api', { kind: 'APIVersions', field: 'versions' });
  const groups = listedIn<Group>(await get('/apis'), 'GET /apis', { kind: 'APIGroupList', field: 'groups' });
  return groups.find(({ name }) => name === group)?.versions.map(({ version }) => version) ?? [];
}
