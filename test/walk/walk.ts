import { posix } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import type { Source } from '../sources.js';

/** A function, by the file that declares it and its name there. */
export interface Place {
  readonly path: string;
  readonly name: string;
}

/** What somebody reads who follows the calls of a function to their end. */
export interface Walk {
  /** The functions in the order in which they are read. The caller is read on after each call, and named again. */
  readonly steps: readonly Place[];
  /** The files that are entered. */
  readonly files: number;
  /** How often the walk comes back to a file that it has left. */
  readonly returns: number;
  /** The exported functions that are entered. */
  readonly names: number;
}

/** What the rules of the walk need of a node of the syntax tree. */
interface Node {
  readonly type: string;
  readonly [part: string]: unknown;
}

interface Module {
  readonly functions: ReadonlyMap<string, Node>;
  readonly exported: ReadonlySet<string>;
  readonly imports: ReadonlyMap<string, Place>;
}

/** Syntax of types, which calls nothing. The three that have an expression in them are read. */
const isType = ({ type }: Node) => /^TS(?!(As|NonNull|Satisfies)Expression$)/.test(type);

/**
 * Follows the calls of a function, depth first and in the order of the source, and enters each function once. After a call
 * the walk is back in the file of the caller.
 *
 * A call is followed if it names a function of the same file or an import, and that function calls one of another file. Any
 * other function is read as a word: its name and its comment tell what it returns. Only its own calls count, not the calls of
 * private functions below it. A method is not followed, because an
 * object with state is read as a whole, and neither is a function that is passed as a value.
 */
export function walkFrom(start: Place, sources: readonly Source[]): Walk {
  const texts = new Map(sources.map(({ path, text }) => [path, text]));
  const modules = new Map<string, Module>();
  const entered = new Set<string>();
  const steps: Place[] = [];
  let names = 0;

  const moduleAt = (path: string): Module => {
    const known = modules.get(path) ?? moduleOf(path, texts.get(path) ?? '');
    modules.set(path, known);
    return known;
  };
  const isKnown = ({ path, name }: Place) => moduleAt(path).functions.has(name);
  const calledBy = ({ path, name }: Place): readonly Place[] => {
    const { functions, imports } = moduleAt(path);
    const callees = calleesIn(functions.get(name)).map((callee) => imports.get(callee) ?? { path, name: callee });
    return callees.filter(isKnown);
  };
  const enter = (place: Place): void => {
    const id = `${place.path} ${place.name}`;
    const called = entered.has(id) ? [] : calledBy(place);
    if (called.every(({ path }) => path === place.path)) return;
    entered.add(id);
    if (moduleAt(place.path).exported.has(place.name)) names++;
    steps.push(place);
    for (const callee of called) {
      enter(callee);
      if (steps.at(-1) !== place) steps.push(place);
    }
  };
  enter(start);
  const visits = visitsOf(steps);
  const files = new Set(visits.map(({ path }) => path)).size;
  return { steps, files, returns: visits.length - files, names };
}

/** The functions that are read in one file, until the walk leaves it. */
interface Visit {
  readonly path: string;
  readonly names: readonly string[];
}

function visitsOf(steps: readonly Place[]): readonly Visit[] {
  const visits: { path: string; names: string[] }[] = [];
  for (const { path, name } of steps) {
    const last = visits.at(-1);
    if (last?.path === path) last.names.push(name);
    else visits.push({ path, names: [name] });
  }
  return visits;
}

/** The walk as lines, each with the functions that are read in one file, and an arrow where a file is entered again. */
export function walkText({ steps, files, returns, names }: Walk): string {
  const seen = new Set<string>();
  const lines = visitsOf(steps).map(({ path, names: read }) => {
    const mark = seen.has(path) ? '↩' : ' ';
    seen.add(path);
    return `${mark} ${path}: ${[...new Set(read)].join(', ')}`;
  });
  return [...lines, `${files} files, ${returns} returns, ${names} names`].join('\n');
}

function moduleOf(path: string, text: string): Module {
  const functions = new Map<string, Node>();
  const exported = new Set<string>();
  const imports = new Map<string, Place>();
  for (const statement of nodesIn(parseAst(text, { lang: 'ts' }).body)) {
    if (statement.type === 'ImportDeclaration') {
      for (const [local, place] of importedBy(statement, path)) imports.set(local, place);
      continue;
    }
    const [declaration] = nodesIn(statement['declaration']);
    const isExported = statement.type === 'ExportNamedDeclaration' && declaration !== undefined;
    for (const [name, declared] of functionsIn(isExported ? declaration : statement)) {
      functions.set(name, declared);
      if (isExported) exported.add(name);
    }
  }
  return { functions, exported, imports };
}

/** The values that a statement imports from files of the project. */
function importedBy({ source, importKind, specifiers }: Node, path: string): readonly (readonly [string, Place])[] {
  const from = String((source as Node)['value']);
  if (importKind === 'type' || !from.startsWith('.')) return [];
  const file = posix.join(posix.dirname(path), from).replace(/\.js$/, '.ts');
  return nodesIn(specifiers)
    .filter((one) => one.type === 'ImportSpecifier' && one['importKind'] !== 'type')
    .map(({ local, imported }) => [nameOf(local), { path: file, name: nameOf(imported) }]);
}

function functionsIn(statement: Node): readonly (readonly [string, Node])[] {
  if (statement.type === 'FunctionDeclaration') return [[nameOf(statement['id']), statement]];
  if (statement.type !== 'VariableDeclaration') return [];
  return nodesIn(statement['declarations']).flatMap(({ id, init }) => {
    const [value] = nodesIn(init);
    return value && /Function/.test(value.type) ? [[nameOf(id), value] as const] : [];
  });
}

/** The names that are called in a piece of code, in the order of the source. */
function calleesIn(node: Node | undefined): string[] {
  if (!node || isType(node)) return [];
  const [callee] = node.type === 'CallExpression' ? nodesIn(node['callee']) : [];
  const own = callee?.type === 'Identifier' ? [nameOf(callee)] : [];
  const parts = Object.values(node).flatMap(nodesIn);
  return [...own, ...parts.flatMap(calleesIn)];
}

function nodesIn(part: unknown): readonly Node[] {
  return (Array.isArray(part) ? part : [part]).filter(isNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

function nameOf(identifier: unknown): string {
  return String((identifier as Node | undefined)?.['name']);
}
