import type { CustomResourceDefinition, CustomResourceVersion } from '../../../crds/index.js';

/** The served versions. The storage version comes first, if it is served. */
export function servedVersions(crd: CustomResourceDefinition): readonly CustomResourceVersion[] {
  const served = crd.spec.versions.filter((version) => version.served);
  return [...served.filter(({ storage }) => storage), ...served.filter(({ storage }) => !storage)];
}
