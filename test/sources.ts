import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** A file of the project: its path from the root, with slashes, and its text. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** All TypeScript that people write; generated files are left out. */
export function writtenSources(root: string): Source[] {
  return ['crds', 'src', 'operator', 'cli', 'examples', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.d.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => ({ path: file.slice(root.length + 1).replaceAll('\\', '/'), text: readFileSync(file, 'utf8') })),
  );
}

/** What a file imports or re-exports: project files by their path from the root, everything else by its package. */
export function importsOf({ path, text }: Source): string[] {
  const code = withoutComments(text);
  const statements = /\b(?:import|export)\b(?:[^'"`;()]*?\bfrom)?\s*['"]([^'"]+)['"]/g;
  const calls = /\b(?:import|require)\(\s*['"]([^'"]+)['"]/g;
  const specifiers = [...code.matchAll(statements), ...code.matchAll(calls)].map(([, specifier = '']) => specifier);
  return specifiers.map((specifier) => {
    if (specifier.startsWith('.')) return posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts');
    if (specifier.startsWith('node:')) return specifier;
    return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  });
}

/** Code alone: what is forbidden may be talked about. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}
