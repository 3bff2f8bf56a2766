import type { CustomResourceDefinition } from '../../crds/index.js';
import { definitionsOf } from './crds/definitions.js';
import { definitionInterfaces, kindModule } from './kind-module.js';
import { definitionTypes, resourceClasses } from './resource-classes.js';
import type { Module } from './sharing/declaration.js';
import { equalDeclarations } from './sharing/equal-declarations.js';
import { moduleText } from './sharing/module-text.js';

/** The module of the definitions that kinds use. CRDs from a file use none, and have no such module. */
const SHARED = 'shared.ts';

/** Kinds with a class, and kinds that are only read. */
export interface GeneratedKinds {
  readonly crds: readonly CustomResourceDefinition[];
  readonly foreign: readonly CustomResourceDefinition[];
  /** Prefix of the names of classes. */
  readonly classPrefix: string;
}

/**
 * The texts of the modules of kinds and groups, by file. Equal types are declared once for each group of kinds, because a
 * command can replace the modules of one group and leave those of another as they are.
 */
export async function generatedModules({
  crds,
  foreign,
  classPrefix,
}: GeneratedKinds): Promise<readonly (readonly [file: string, text: string])[]> {
  const kinds = await Promise.all(
    [...crds, ...foreign].map(async (crd) => ({ group: crd.spec.group, module: await kindModule(crd) })),
  );
  const definitions = definitionsOf(crds);
  const interfaces = shared(definitions.length > 0 ? await definitionInterfaces(definitions) : []);
  const types = shared(definitionTypes(crds, classPrefix));

  const groups = [...new Set(kinds.map(({ group }) => group))];
  const ofKinds = groups.flatMap((name) => {
    const members = kinds.filter(({ group }) => group === name).map(({ module }) => module);
    return textsOf(interfaces, members.sort(byLength));
  });
  const ofGroups = resourceClasses(crds, classPrefix).flatMap((group) => textsOf(types, [group]));
  const own = [interfaces, types].map((module) => moduleText(module, equalDeclarations([module])));
  return [...ofGroups, ...ofKinds, ...(definitions.length > 0 ? [[SHARED, own.join('')] as const] : [])];
}

const shared = (declarations: Module['declarations']): Module => ({ file: SHARED, head: '', declarations });

function textsOf(definitions: Module, modules: readonly Module[]): readonly (readonly [file: string, text: string])[] {
  const kept = equalDeclarations([definitions, ...modules]);
  return modules.map((module) => [module.file, moduleText(module, kept)]);
}

/** The shortest name first: it keeps the types that it shares with others. */
function byLength({ file: one }: Module, { file: other }: Module): number {
  return one.length - other.length || (one < other ? -1 : 1);
}
