import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { isRecord } from '../../operator/runtime/kubernetes/json.js';
import { Namespace, type ObjectKind } from '../../operator/runtime/kubernetes/kinds.js';
import type { AccessOptions } from '../cluster/access-options.js';

/** Where names are read: the options that are typed already. */
export interface TypedPlace extends AccessOptions {
  readonly namespace?: string;
}

/** What a shell can only learn elsewhere. Each resolves to nothing if it fails, because a shell shows no errors. */
export interface NameSources {
  contexts(place: TypedPlace): Promise<readonly string[]>;
  namespaces(place: TypedPlace): Promise<readonly string[]>;
  resources(kind: ObjectKind, place: TypedPlace): Promise<readonly string[]>;
}

/** Milliseconds that a user waits at most. */
const patience = 2_000;
/** Names that are read. A longer list helps no user. */
const limit = 500;

/** The names in the kubeconfig and the cluster of the user. */
export const nameSources: NameSources = {
  contexts: ({ kubeconfig }) => unlessFailed(() => contextsIn(kubeconfig)),
  namespaces: (place) => unlessFailed(() => namesOf(Namespace, place)),
  resources: (kind, place) => unlessFailed(() => namesOf(kind, place)),
};

async function unlessFailed(read: () => Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await read();
  } catch {
    return [];
  }
}

async function contextsIn(kubeconfig = process.env['KUBECONFIG']): Promise<readonly string[]> {
  const files = (kubeconfig || join(homedir(), '.kube', 'config')).split(delimiter).filter((file) => file !== '');
  const { parseYaml } = await import('../../operator/yaml/parse-yaml.js');
  const configs = await Promise.all(files.map(async (file) => parseYaml(await readFile(file, 'utf8'))));
  const contexts = configs.flatMap((config) =>
    isRecord(config) && Array.isArray(config['contexts']) ? config['contexts'] : [],
  );
  return contexts.flatMap((context) =>
    isRecord(context) && typeof context['name'] === 'string' ? context['name'] : [],
  );
}

async function namesOf(kind: ObjectKind, place: TypedPlace): Promise<readonly string[]> {
  const { clusterAt } = await import('../cluster/cluster-access.js');
  await using at = await clusterAt(place);
  const namespace = kind.namespaced ? (place.namespace ?? at.namespace) : undefined;
  const page = await at.cluster.list(kind, { namespace, limit, signal: AbortSignal.timeout(patience) });
  return page.items.map(({ metadata }) => metadata.name);
}
