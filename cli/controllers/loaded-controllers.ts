import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CustomResourceDefinition, type Kind, kinds, toCustomResourceDefinition } from '../../crds/index.js';
import { controllers } from '../../operator/controllers/index.js';
import type { Controller } from '../../operator/runtime/controller/controller.js';
import { messageOf } from '../../operator/runtime/kubernetes/errors.js';
import { isRecord } from '../../operator/runtime/kubernetes/json.js';
import { placeOf } from './author-errors.js';

/** The controllers and kinds of a module. */
export interface Loaded {
  readonly controllers: readonly Controller[];
  /** The CRDs of the kinds that the module exports, which give their schemas. */
  readonly definitions: readonly CustomResourceDefinition[];
}

/**
 * The controllers that an ES module exports, as single values or in arrays, by any name.
 * @param path path of the module. @default - the controllers of this package
 * @throws {Error} if the module cannot be loaded or exports no controller
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
  if (!existsSync(file))
    throw new Error(`${path} does not exist; specify the path of a module that exports controllers`);
  try {
    return (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw new Error(`${path} cannot be loaded: ${adviceOn(error)}`, { cause: error });
  }
}

function adviceOn(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION')
    return 'this version of Node.js runs only JavaScript; compile the module and specify the .js file';
  const isCommonJs =
    code === 'ERR_REQUIRE_ESM' || /^(Cannot use import statement|Unexpected token 'export')/.test(messageOf(error));
  if (isCommonJs) return 'it is not an ES module; set "type": "module" in its package.json';
  return `${messageOf(error).trimEnd()}${placeOf(error)}`;
}

/** Checks the shape, so that controllers from another copy of the package are found too. */
function isController(value: unknown): value is Controller {
  if (!isRecord(value) || !isRecord(value['kind'])) return false;
  const isDeclared = typeof value['desire'] === 'function' && typeof value['assess'] === 'function';
  return isDeclared && Array.isArray(value['rbacRules']) && Array.isArray(value['owns']);
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
  return `${others}; export the result of defineController`;
}
