import { createHash } from 'node:crypto';
import type { k8s } from 'cdk8s-plus-27';
import type { ManifestOf } from '../manifest/plain.js';
import { metadataOf } from '../workload/identity.js';
import { present } from '../workload/present.js';
import type { Blueprint } from './blueprint.js';

/** The folder with the files of `config` in the Pods. */
export const configFolder = '/etc/algorithm';

/** The files of `config`. The ConfigMap exists without files too, so that the first file is an ordinary change. */
export function configMap(blueprint: Blueprint): ManifestOf<k8s.KubeConfigMapProps> {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadataOf(blueprint),
    data: present(blueprint.spec.config),
  };
}

/** A hash of the content of `config`, independent of the order of its files. Undefined without files. */
export function configHash({ spec }: Blueprint): string | undefined {
  const files = present(spec.config);
  if (!files) return undefined;
  const content = Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16);
}
