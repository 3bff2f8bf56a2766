import { readFile } from 'node:fs/promises';
import type { CustomResourceDefinition } from '../../../crds/index.js';
import { isRecord } from '../../../operator/runtime/kubernetes/json.js';
import { ImportError } from '../../files/import-error.js';
import { type Loose, yamlObjects } from '../../files/yaml-objects.js';

/**
 * The CRDs in a YAML file. Other objects are ignored.
 * @throws {ImportError} if the file cannot be read, is not YAML, or has no valid CRD
 */
export async function readCrds(file: string): Promise<readonly CustomResourceDefinition[]> {
  try {
    return parseCrds(await readFile(file, 'utf8'), file);
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(
      `${file} cannot be read: ${(error as NodeJS.ErrnoException).code}; specify the path of a YAML file`,
    );
  }
}

/** The CRDs in a text. Errors refer to it as `source`. */
export function parseCrds(text: string, source: string): readonly CustomResourceDefinition[] {
  const crds = crdsAmong(yamlObjects(text, source), source);
  if (crds.length > 0) return crds;
  throw new ImportError(`${source} has no CustomResourceDefinition; specify the file that contains it`);
}

/** The CRDs among objects. Errors refer to their origin as `source`. */
export function crdsAmong(objects: readonly Loose[], source: string): readonly CustomResourceDefinition[] {
  return objects.filter((object) => object['kind'] === 'CustomResourceDefinition').map((crd) => checked(crd, source));
}

function checked(crd: Loose, source: string): CustomResourceDefinition {
  const { metadata, spec, apiVersion } = crd;
  const name = isRecord(metadata) && typeof metadata['name'] === 'string' ? metadata['name'] : 'a CRD without a name';
  const refuse = (problem: string) => new ImportError(`${source}: ${name} ${problem}`);
  if (apiVersion !== 'apiextensions.k8s.io/v1') {
    throw refuse(`has apiVersion ${apiVersion}, must be apiextensions.k8s.io/v1; convert it`);
  }
  if (!isRecord(spec) || typeof spec['group'] !== 'string') throw refuse('has no spec.group; add it');
  const { names, versions, scope } = spec;
  if (!isRecord(names) || typeof names['kind'] !== 'string' || typeof names['plural'] !== 'string') {
    throw refuse('has no spec.names.kind or spec.names.plural; add them');
  }
  if (scope !== 'Namespaced' && scope !== 'Cluster') throw refuse(`has scope ${scope}, must be Namespaced or Cluster`);
  if (!Array.isArray(versions) || !versions.some((version) => isRecord(version) && version['served'] === true)) {
    throw refuse('has no served version; set served: true for at least one');
  }
  const bare = versions.find((version) => version.served && !isRecord(version.schema?.openAPIV3Schema));
  if (bare) throw refuse(`has no schema in version ${bare.name}; add schema.openAPIV3Schema`);
  return crd as unknown as CustomResourceDefinition;
}
