import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { parseAllDocuments } from 'yaml';
import { isRecord } from '../operator/runtime/kubernetes/json.js';
import type { Manifest } from '../operator/runtime/kubernetes/object.js';
import { ImportError } from './codegen/import-error.js';

/** An object of a YAML file, whatever it is. */
export type Loose = Readonly<Record<string, unknown>>;

/**
 * The objects in a text of one or several YAML documents, those of lists included.
 * @param source what errors call it
 * @throws {ImportError} when it is not YAML
 */
export function yamlObjects(text: string, source: string): readonly Loose[] {
  return documents(text, source).flatMap(objectsIn);
}

/**
 * The Kubernetes objects in a file.
 * @param file `-` for what comes in on standard input
 * @throws {ImportError} when it cannot be read, is not YAML, or has something else in it
 */
export async function manifestsIn(file: string): Promise<readonly Manifest[]> {
  const source = file === '-' ? 'standard input' : file;
  const objects = yamlObjects(file === '-' ? await text(process.stdin) : await readText(file), source);
  if (objects.length === 0) throw new ImportError(`${source} has no object in it: give the YAML of a resource`);
  return objects.map((object) => {
    if (isManifest(object)) return object;
    throw new ImportError(`${source} has an object without apiVersion, kind or metadata.name: add it`);
  });
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ImportError(`${file} cannot be read: ${error.code}; give the path of a YAML file`);
  });
}

function isManifest(object: Loose): object is Loose & Manifest {
  const { apiVersion, kind, metadata } = object;
  return typeof apiVersion === 'string' && typeof kind === 'string' && isRecord(metadata) && !!metadata['name'];
}

function documents(text: string, source: string): readonly unknown[] {
  return parseAllDocuments(text).map((document) => {
    const [error] = document.errors;
    if (error) throw new ImportError(`${source} is not YAML: ${error.message.split('\n')[0]?.replace(/:$/, '')}`);
    // CRDs share parts by anchors at times; the limit is against files made to explode.
    return document.toJS({ maxAliasCount: 1000 });
  });
}

/** The objects of a document: itself, or what a List holds. */
function objectsIn(document: unknown): readonly Loose[] {
  if (!isRecord(document)) return [];
  const { items } = document;
  return document['kind'] === 'List' && Array.isArray(items) ? items.flatMap(objectsIn) : [document];
}
