import { type Declaration, type Module, namesIn, unmarked } from './declaration.js';
import type { Kept } from './equal-declarations.js';

/** The text of a module, in which a declaration that another one replaces is an alias. */
export function moduleText({ file, head, declarations }: Module, kept: Kept): string {
  const byName = new Map(declarations.map((declaration) => [declaration.name, declaration]));
  const places = declarations.map((declaration) => ({ declaration, place: kept.get(declaration) }));
  const imported = new Imports(file);
  const nameOf = (name: string) => {
    const place = kept.get(byName.get(name) as Declaration);
    return place?.declaration.name ?? name;
  };
  const texts = places.map(({ declaration, place }) => {
    const rest = place && place.declaration !== declaration ? place : undefined;
    if (rest?.declaration.alias) {
      const isElsewhere = rest.module.file !== file;
      if (isElsewhere && !declaration.alias?.isValue && !declaration.alias?.conversion)
        imported.add(rest.module.file, rest.declaration);
      return aliasOf(declaration, rest.declaration, isElsewhere ? rest.module.file : undefined);
    }
    for (const name of namesIn(declaration.code)) {
      const used = kept.get(byName.get(name) as Declaration);
      if (used && used.module.file !== file) imported.add(used.module.file, used.declaration);
    }
    return unmarked(declaration.comment + declaration.code, nameOf);
  });
  return `${head}${imported.text()}\n${texts.join('\n')}`;
}

/** The statement that gives a declaration another name. A type keeps its own comment. */
function aliasOf(declaration: Declaration, kept: Declaration, from: string | undefined): string {
  const [own, other] = [statementNames(declaration), statementNames(kept)];
  if (!own.isExported) {
    const isSame = unmarked(declaration.comment) === unmarked(kept.comment);
    return `${isSame ? '' : unmarked(declaration.comment)}export type ${own.type} = ${other.type};\n`;
  }
  const type = `${declaration.alias?.isValue ? '' : 'type '}${other.type} as ${own.type}`;
  const conversion = own.conversion === undefined ? [] : [`${other.conversion} as ${own.conversion}`];
  return `export { ${[type, ...conversion].join(', ')} }${from === undefined ? '' : ` from '${specifier(from)}'`};\n`;
}

function statementNames({ alias }: Declaration) {
  const { type = '', conversion, isValue = false } = alias ?? {};
  return {
    type: unmarked(type),
    conversion: conversion && unmarked(conversion),
    // An enum has members that are types, and a conversion is a function: only an export renames them.
    isExported: isValue || conversion !== undefined,
  };
}

const specifier = (file: string) => `./${file.replace(/\.ts$/, '.js')}`;

/** The imports of a module from other generated modules. */
class Imports {
  readonly #names = new Map<string, Set<string>>();

  constructor(readonly file: string) {}

  add(file: string, declaration: Declaration): void {
    const { type, conversion } = statementNames(declaration);
    const names = this.#names.get(file) ?? new Set();
    this.#names.set(file, names.add(`type ${type}`));
    if (conversion !== undefined) names.add(conversion);
  }

  text(): string {
    return [...this.#names]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([file, names]) => {
        const sorted = [...names].sort();
        // Without a value, the import leaves no code.
        const isOfTypes = sorted.every((name) => name.startsWith('type '));
        const lines = sorted.map((name) => `  ${isOfTypes ? name.slice('type '.length) : name},\n`);
        return `import ${isOfTypes ? 'type ' : ''}{\n${lines.join('')}} from '${specifier(file)}';\n`;
      })
      .join('');
  }
}
