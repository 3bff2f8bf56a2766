import { createHash } from 'node:crypto';
import type { k8s } from 'cdk8s-plus-27';
import type { ManifestOf } from '../plain.js';
import { metadataOf } from '../workload/identity.js';
import { present } from '../workload/present.js';
import type { Blueprint } from './blueprint.js';

/** Where the pods find the files of `config`. */
export const configFolder = '/etc/algorithm';

/** The files of `config`. It is there without files too, so that adding the first one is a change like any other. */
export function configMap(blueprint: Blueprint): ManifestOf<k8s.KubeConfigMapProps> {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadataOf(blueprint),
    data: present(blueprint.spec.config),
  };
}

/** Tells one content of `config` from another, whatever the order of its files; undefined without files. */
export function configHash({ spec }: Blueprint): string | undefined {
  const files = present(spec.config);
  if (!files) return undefined;
  const content = Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16);
}
