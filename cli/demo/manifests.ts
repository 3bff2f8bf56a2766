import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Transport } from '../../operator/cluster/http/transport.js';
import type { KubernetesCluster } from '../../operator/cluster/kubernetes-cluster.js';
import { isApiError } from '../../operator/runtime/kubernetes/errors.js';
import { groupOf, type ObjectKind } from '../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../operator/runtime/kubernetes/object.js';
import { sleep, systemClock } from '../../operator/runtime/ports/clock.js';
import { yamlObjects } from '../files/yaml-objects.js';

/** The field manager of `kubectl apply --server-side`, so that users can apply the same objects without a conflict. */
const manager = 'kubectl';

/** The YAML files of a folder, in the order in which kubectl applies them, without subfolders. */
export async function manifestFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder);
  return entries
    .filter((entry) => entry.endsWith('.yaml'))
    .sort()
    .map((entry) => join(folder, entry));
}

/** The objects of a YAML file. @throws {Error} if it is not YAML */
export async function manifestsOf(file: string): Promise<readonly Manifest[]> {
  return yamlObjects(await readFile(file, 'utf8'), file) as readonly object[] as readonly Manifest[];
}

/**
 * Applies objects in order, like `kubectl apply --server-side --namespace`.
 *
 * @param namespace for objects without a namespace
 */
export async function applyAll(
  cluster: KubernetesCluster,
  manifests: readonly Manifest[],
  namespace: string,
): Promise<void> {
  for (const manifest of manifests) {
    const kind = await servedKind(cluster.transport, manifest);
    const metadata = kind.namespaced ? { namespace, ...manifest.metadata } : manifest.metadata;
    await cluster.apply(kind, { ...manifest, metadata }, { manager });
  }
}

/** Milliseconds to wait until the API server serves the kind of a new CRD. */
const patience = 30_000;
const pause = 50;

interface ResourceList {
  readonly resources: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
}

/**
 * The served kind of an object. Waits for a kind whose CRD was just applied.
 *
 * @throws {Error} if it is not served
 */
async function servedKind(
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
  throw new Error(`the API server does not serve ${kind} of ${apiVersion}; use a newer cluster`);
}

async function resourcesOf(transport: Transport, path: string): Promise<ResourceList['resources']> {
  try {
    return ((await transport.json({ method: 'GET', path })) as ResourceList).resources;
  } catch (error) {
    if (isApiError(error, 'NotFound')) return [];
    throw error;
  }
}
