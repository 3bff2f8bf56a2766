import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CustomResourceDefinition, type Kind, kinds, toCustomResourceDefinition } from '../../crds/index.js';
import { controllers } from '../../operator/controllers/index.js';
import type { Controller } from '../../operator/runtime/controller/controller.js';
import { messageOf } from '../../operator/runtime/kubernetes/errors.js';
import { isRecord } from '../../operator/runtime/kubernetes/json.js';
import { placeOf } from './author-errors.js';

/** What a module has to offer. */
export interface Loaded {
  readonly controllers: readonly Controller[];
  /** The definitions of kinds that it exports, if it does: their schemas are known then. */
  readonly definitions: readonly CustomResourceDefinition[];
}

/**
 * The controllers that an ES module exports, alone or in lists, by whatever name.
 * @param path of the module. @default - the product's own controllers
 * @throws {Error} when it cannot be loaded, or exports none
 */
export async function controllersIn(path: string | undefined): Promise<Loaded> {
  if (path === undefined) return { controllers, definitions: kinds.map(toCustomResourceDefinition) };
  const exported = await load(path);
  const values = Object.values(exported).flatMap((value): unknown[] => (Array.isArray(value) ? value : [value]));
  const found = [...new Set(values.filter(isController))];
  if (found.length === 0) throw new Error(`${path} exports no controller${siblings(exported)}`);
  return { controllers: found, definitions: values.flatMap(definitionIn) };
}

async function load(path: string): Promise<Readonly<Record<string, unknown>>> {
  const file = resolve(path);
  if (!existsSync(file)) throw new Error(`${path} is not there: give the path of a module that exports controllers`);
  try {
    return (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw new Error(`${path} cannot be loaded: ${adviceOn(error)}`, { cause: error });
  }
}

function adviceOn(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION') return 'this Node runs JavaScript only; compile it, and give the .js file';
  const isCommonJs =
    code === 'ERR_REQUIRE_ESM' || /^(Cannot use import statement|Unexpected token 'export')/.test(messageOf(error));
  if (isCommonJs) return 'it is not an ES module; set "type": "module" in its package.json';
  return `${messageOf(error).trimEnd()}${placeOf(error)}`;
}

/** By its shape: what another copy of the package defined is a controller too. */
function isController(value: unknown): value is Controller {
  if (!isRecord(value) || !isRecord(value['kind'])) return false;
  const isDeclared = typeof value['desire'] === 'function' && typeof value['assess'] === 'function';
  return isDeclared && Array.isArray(value['rights']) && Array.isArray(value['owns']);
}

function definitionIn(value: unknown): readonly CustomResourceDefinition[] {
  if (!isRecord(value)) return [];
  if (value['kind'] === 'CustomResourceDefinition') return [value as unknown as CustomResourceDefinition];
  const isKind =
    typeof value['kind'] === 'string' && typeof value['plural'] === 'string' && Array.isArray(value['versions']);
  return isKind ? [toCustomResourceDefinition(value as unknown as Kind)] : [];
}

function siblings(exported: object): string {
  const names = Object.keys(exported);
  const others = names.length > 0 ? `, only ${names.join(', ')}` : '';
  return `${others}: export what defineController returns`;
}
