import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { KubernetesCluster } from '../../operator/cluster/kubernetes-cluster.js';
import type { Manifest } from '../../operator/runtime/object.js';
import { servedKind } from './served-kind.js';

/** The one that `kubectl apply --server-side` has: it can go on where the demo stops, without a conflict. */
const manager = 'kubectl';

/** The YAML files of a folder, in the order in which kubectl applies them; not those of folders in it. */
export async function manifestFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder);
  return entries
    .filter((entry) => entry.endsWith('.yaml'))
    .sort()
    .map((entry) => join(folder, entry));
}

/** The objects of a YAML file. @throws {Error} when it is not YAML */
export async function manifestsOf(file: string): Promise<readonly Manifest[]> {
  const documents = parseAllDocuments(await readFile(file, 'utf8'));
  return documents.map((document) => {
    if (document.errors[0]) throw new Error(`${file} is not YAML: ${document.errors[0].message}`);
    return document.toJS() as Manifest;
  });
}

/**
 * What `kubectl apply --server-side --namespace` does with objects, one after the other.
 *
 * @param namespace for those that say none
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
