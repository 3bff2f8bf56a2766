import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kinds } from '../../crds/index.js';
import type { Manifest } from '../../operator/index.js';
import { parseYamlDocuments } from '../../operator/yaml/parse-yaml.js';
import type { RenderedCase } from './rendered-case.js';

/** Examples with resources of this package, from their `resource.yaml`, or from what their app becomes. */
export const examples: readonly RenderedCase[] = readdirSync('examples').flatMap((example) => {
  const [file] = ['resource.yaml', 'becomes.yaml'].map((name) => join('examples', example, name)).filter(existsSync);
  if (file === undefined) return [];
  const objects = (parseYamlDocuments(readFileSync(file, 'utf8')) as readonly Manifest[]).filter(isOfThisPackage);
  return objects.length === 0 ? [] : [{ name: example, objects: objects.map(inNamespace) }];
});

function isOfThisPackage({ apiVersion, kind }: Manifest): boolean {
  return kinds.some((one) => one.kind === kind && apiVersion.startsWith(`${one.group}/`));
}

function inNamespace(object: Manifest): Manifest {
  return { ...object, metadata: { namespace: 'shop', ...object.metadata } };
}
