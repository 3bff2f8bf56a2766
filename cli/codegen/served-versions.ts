import type { CustomResourceDefinition, CustomResourceVersion } from '../../crds/index.js';

/** The versions that clients can use: the one that is stored, if it is served, comes first. */
export function servedVersions(crd: CustomResourceDefinition): readonly CustomResourceVersion[] {
  const served = crd.spec.versions.filter((version) => version.served);
  return [...served.filter(({ storage }) => storage), ...served.filter(({ storage }) => !storage)];
}
