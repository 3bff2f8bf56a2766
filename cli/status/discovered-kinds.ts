import { ApiError, messageOf } from '../../operator/runtime/kubernetes/errors.js';
import { groupKindOf, groupOf, type ObjectKind } from '../../operator/runtime/kubernetes/kinds.js';

/** The response of the API server to a GET. */
export type Get = (path: string) => Promise<unknown>;

/** A kind as the API server serves it. */
export interface DiscoveredKind {
  readonly kind: ObjectKind;
  /** Singular and short names, in lower case. */
  readonly otherNames: readonly string[];
  readonly categories: readonly string[];
}

/** The part of a discovery entry that is used here. */
interface ServedResource {
  readonly name: string;
  readonly singularName?: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

interface ServedGroup {
  readonly versions: readonly { readonly groupVersion: string }[];
  readonly preferredVersion?: { readonly groupVersion: string };
}

/**
 * The kinds that can be read and listed, each in the preferred version of its group, or else in the first that has it. A
 * group whose server does not answer is left out with a note.
 * @see https://kubernetes.io/docs/concepts/overview/kubernetes-api/#discovery-api
 */
export async function discoveredKinds(get: Get, notes: string[]): Promise<readonly DiscoveredKind[]> {
  const { groups = [] } = (await get('/apis')) as { readonly groups?: readonly ServedGroup[] };
  const ofGroups = groups.flatMap(({ versions, preferredVersion }) => {
    const preferred = preferredVersion?.groupVersion;
    const all = versions.map(({ groupVersion }) => groupVersion);
    return all.toSorted((a, b) => Number(b === preferred) - Number(a === preferred));
  });
  const found = await Promise.all(['v1', ...ofGroups].map((version) => kindsOf(version, get, notes)));
  const first = new Map<string, DiscoveredKind>();
  for (const one of found.flat()) {
    const name = groupKindOf(one.kind);
    if (!first.has(name)) first.set(name, one);
  }
  return [...first.values()];
}

async function kindsOf(apiVersion: string, get: Get, notes: string[]): Promise<readonly DiscoveredKind[]> {
  const group = groupOf(apiVersion);
  const version = apiVersion.slice(group === '' ? 0 : group.length + 1);
  let resources: readonly ServedResource[];
  try {
    const path = group === '' ? `/api/${version}` : `/apis/${apiVersion}`;
    resources = ((await get(path)) as { readonly resources?: readonly ServedResource[] }).resources ?? [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    notes.push(`kinds of ${apiVersion} are not shown: ${messageOf(error)}`);
    return [];
  }
  const isReadable = ({ name, verbs }: ServedResource) =>
    !name.includes('/') && verbs.includes('get') && verbs.includes('list');
  return resources.filter(isReadable).map(({ name, kind, namespaced, singularName = '', ...more }) => ({
    kind: { group, version, kind, plural: name, namespaced },
    otherNames: [...(singularName === '' ? [] : [singularName]), ...(more.shortNames ?? [])],
    categories: more.categories ?? [],
  }));
}
