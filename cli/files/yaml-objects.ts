import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { isRecord } from '../../operator/runtime/kubernetes/json.js';
import type { Manifest } from '../../operator/runtime/kubernetes/object.js';
import { parseYamlDocuments } from '../../operator/yaml/parse-yaml.js';
import { ImportError } from './import-error.js';

/** An object of a YAML file, with any fields. */
export type Loose = Readonly<Record<string, unknown>>;

/**
 * The objects in a text of one or more YAML documents, including those in lists.
 * @param source name of the text in errors
 * @throws {ImportError} if it is not YAML
 */
export function yamlObjects(text: string, source: string): readonly Loose[] {
  return documents(text, source).flatMap(objectsIn);
}

/**
 * The Kubernetes objects in a file.
 * @param file a path, or `-` for standard input
 * @throws {ImportError} if it cannot be read, is not YAML, or contains anything but Kubernetes objects
 */
export async function manifestsIn(file: string): Promise<readonly Manifest[]> {
  const source = file === '-' ? 'standard input' : file;
  const objects = yamlObjects(file === '-' ? await text(process.stdin) : await readText(file), source);
  if (objects.length === 0) throw new ImportError(`${source} contains no object; specify the YAML of a resource`);
  return objects.map((object) => {
    if (isManifest(object)) return object;
    throw new ImportError(
      `${source} contains an object without apiVersion, kind or metadata.name; add the missing field`,
    );
  });
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ImportError(`${file} cannot be read: ${error.code}; specify the path of a YAML file`);
  });
}

function isManifest(object: Loose): object is Loose & Manifest {
  const { apiVersion, kind, metadata } = object;
  return typeof apiVersion === 'string' && typeof kind === 'string' && isRecord(metadata) && !!metadata['name'];
}

function documents(text: string, source: string): readonly unknown[] {
  try {
    return parseYamlDocuments(text);
  } catch (error) {
    throw new ImportError(`${source} is not YAML: ${(error as Error).message}`, { cause: error });
  }
}

/** The objects of a document: itself, or the items of a List. */
function objectsIn(document: unknown): readonly Loose[] {
  if (!isRecord(document)) return [];
  const { items } = document;
  return document['kind'] === 'List' && Array.isArray(items) ? items.flatMap(objectsIn) : [document];
}
