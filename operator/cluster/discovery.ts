import type { ObjectKind } from '../runtime/kubernetes/kinds.js';
import { listedIn } from './answers.js';
import { versionPathOf } from './paths.js';

interface Group {
  readonly name: string;
  readonly versions: readonly { readonly version: string }[];
}

/**
 * The versions in which a server serves a kind. That there are none takes proof: the list of all groups without its group,
 * or a list of resources without it of every version that its group has. What is not found proves nothing here: a proxy
 * answers so whatever it is asked, and a server for a version that has gone since.
 *
 * Every user may read this: the role `system:discovery` lets it.
 * @param get what the server answers to a GET
 * @throws {ApiError} when a part of it could not be read
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
