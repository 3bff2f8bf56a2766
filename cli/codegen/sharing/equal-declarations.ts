import { type Declaration, type Module, unmarked } from './declaration.js';

/** A declaration, and the module in which it stays. */
export interface Place {
  readonly module: Module;
  readonly declaration: Declaration;
}

/** The declaration that stays, for each declaration of some modules. */
export type Kept = ReadonlyMap<Declaration, Place>;

/**
 * Finds declarations that are equal: the same fields, types and comments, and so are the types that they refer to. Of equal
 * declarations the first module keeps one, with the shortest name. A module therefore imports only from earlier ones.
 */
export function equalDeclarations(modules: readonly Module[]): Kept {
  const places = modules.flatMap((module) => module.declarations.map((declaration) => ({ module, declaration })));
  const keys = settledKeys(modules);
  const kept = new Map<string, Place>();
  for (const place of places) {
    const key = keys.get(place.declaration) ?? '';
    const before = kept.get(key);
    if (!before || (before.module === place.module && isShorter(place.declaration, before.declaration)))
      kept.set(key, place);
  }
  return new Map(places.map((place) => [place.declaration, kept.get(keys.get(place.declaration) ?? '') ?? place]));
}

function isShorter({ name: one }: Declaration, { name: other }: Declaration): boolean {
  return one.length - other.length < 0 || (one.length === other.length && one < other);
}

type Keys = ReadonlyMap<Declaration, string>;

/** Equal declarations have equal keys. At first all count as equal; each round separates those that refer to unequal ones. */
function settledKeys(modules: readonly Module[]): Keys {
  let keys: Keys = new Map();
  for (let count = 0, before = -1; count !== before; ) {
    before = count;
    keys = nextKeys(modules, keys);
    count = new Set(keys.values()).size;
  }
  return keys;
}

function nextKeys(modules: readonly Module[], before: Keys): Keys {
  const shapes = new Map<Declaration, string>();
  const named = new Set<string>();
  for (const { declarations } of modules) {
    const byName = new Map(declarations.map((declaration) => [declaration.name, declaration]));
    for (const declaration of declarations) {
      const shape = shapeOf(declaration, byName, before);
      shapes.set(declaration, shape);
      if (declaration.isNamed) named.add(shape);
    }
  }
  const ids = new Map<string, string>();
  return new Map(
    [...shapes].map(([declaration, shape], index) => {
      const comment = named.has(shape) ? '' : unmarked(declaration.comment, nothing, nothing);
      const key = declaration.alias ? JSON.stringify([shape, comment]) : `own ${index}`;
      // Short, because the keys of the next round contain them.
      if (!ids.has(key)) ids.set(key, `#${ids.size}`);
      return [declaration, ids.get(key) ?? ''];
    }),
  );
}

/** The code with the keys of other declarations in place of their names. */
function shapeOf(declaration: Declaration, byName: ReadonlyMap<string, Declaration>, keys: Keys): string {
  const keyOf = (name: string) => {
    const other = byName.get(name);
    return other === declaration ? '#' : ((other && keys.get(other)) ?? '');
  };
  return unmarked(declaration.code, keyOf, nothing);
}

const nothing = () => '';
