import { readFile } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';
import type { CustomResourceDefinition } from '../../crds/index.js';
import { ImportError } from './import-error.js';

/**
 * The CustomResourceDefinitions in a YAML file; its other objects are passed over.
 * @throws {ImportError} when the file cannot be read, is not YAML, or has no CRD that can be used
 */
export async function readCrds(file: string): Promise<readonly CustomResourceDefinition[]> {
  try {
    return parseCrds(await readFile(file, 'utf8'), file);
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(
      `${file} cannot be read: ${(error as NodeJS.ErrnoException).code}; give the path of a YAML file`,
    );
  }
}

/** The CustomResourceDefinitions in a text; `source` is what errors call it. */
export function parseCrds(text: string, source: string): readonly CustomResourceDefinition[] {
  const crds = documents(text, source)
    .flatMap(objectsIn)
    .filter((object) => object['kind'] === 'CustomResourceDefinition');
  if (crds.length === 0)
    throw new ImportError(`${source} has no CustomResourceDefinition; give the file that holds it`);
  return crds.map((crd) => checked(crd, source));
}

type Loose = Readonly<Record<string, unknown>>;

function documents(text: string, source: string): readonly unknown[] {
  return parseAllDocuments(text).map((document) => {
    const [error] = document.errors;
    if (error) throw new ImportError(`${source} is not YAML: ${error.message.split('\n')[0]}`);
    // CRDs share parts by anchors at times; the limit is against files made to explode.
    return document.toJS({ maxAliasCount: 1000 });
  });
}

/** The objects of a document: itself, or what a List holds. */
function objectsIn(document: unknown): readonly Loose[] {
  if (!isObject(document)) return [];
  const { items } = document;
  return document['kind'] === 'List' && Array.isArray(items) ? items.flatMap(objectsIn) : [document];
}

function checked(crd: Loose, source: string): CustomResourceDefinition {
  const { metadata, spec, apiVersion } = crd;
  const name = isObject(metadata) && typeof metadata['name'] === 'string' ? metadata['name'] : 'a CRD without a name';
  const refuse = (problem: string) => new ImportError(`${source}: ${name} ${problem}`);
  if (apiVersion !== 'apiextensions.k8s.io/v1') {
    throw refuse(`has apiVersion ${apiVersion}; convert it to apiextensions.k8s.io/v1`);
  }
  if (!isObject(spec) || typeof spec['group'] !== 'string') throw refuse('has no spec.group; add it');
  const { names, versions, scope } = spec;
  if (!isObject(names) || typeof names['kind'] !== 'string' || typeof names['plural'] !== 'string') {
    throw refuse('has no spec.names.kind or spec.names.plural; add them');
  }
  if (scope !== 'Namespaced' && scope !== 'Cluster') throw refuse(`has scope ${scope}; write Namespaced or Cluster`);
  if (!Array.isArray(versions) || !versions.some((version) => isObject(version) && version['served'] === true)) {
    throw refuse('serves no version; serve at least one');
  }
  const bare = versions.find((version) => version.served && !isObject(version.schema?.openAPIV3Schema));
  if (bare) throw refuse(`has no schema in version ${bare.name}; add schema.openAPIV3Schema`);
  return crd as unknown as CustomResourceDefinition;
}

function isObject(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
