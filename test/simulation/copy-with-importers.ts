import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The specifier of a module beside this one, in compiled code. */
const specifier = /((?:\bfrom|\bimport)\s*\(?\s*)(["'])(\.{1,2}\/[^"']+)\2/g;

/**
 * Copies a module and every module that imports it, directly or not. A copy imports the others from where they are, so that
 * they are loaded once for all copies: they are most of the code.
 * @param module its path below `compiled`
 * @returns the paths that were copied
 */
export function copyWithImporters(module: string, compiled: string, copy: string): ReadonlySet<string> {
  const graph = importsOf(compiled);
  const copied = new Set([module]);
  for (const path of copied) for (const [one, imported] of graph) if (imported.has(path)) copied.add(one);
  for (const path of copied) {
    const text = readFileSync(join(compiled, path), 'utf8').replace(specifier, (whole, before, quote, name) => {
      const target = join(dirname(path), name);
      return copied.has(target) ? whole : before + quote + pathToFileURL(resolve(compiled, target)).href + quote;
    });
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), text);
  }
  return copied;
}

const graphs = new Map<string, ReadonlyMap<string, ReadonlySet<string>>>();

/** What each module below a folder imports of the others there; read once. */
function importsOf(compiled: string): ReadonlyMap<string, ReadonlySet<string>> {
  const known = graphs.get(compiled);
  if (known) return known;
  const modules = readdirSync(compiled, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.js'));
  const graph = new Map(
    modules.map((path) => {
      const names = readFileSync(join(compiled, path), 'utf8').matchAll(specifier);
      return [path, new Set(Array.from(names, ([, , , name = '']) => join(dirname(path), name)))];
    }),
  );
  graphs.set(compiled, graph);
  return graph;
}
