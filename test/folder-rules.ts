import { dirname } from 'node:path/posix';
import { circlesOf } from './circles.js';
import { importsOf, type Source } from './sources.js';

/** An import from one folder of the product into another. */
interface Crossing {
  readonly from: string;
  readonly to: string;
}

/**
 * Imports of files in folders above that of the importing file: a folder would know what it is part of.
 * @returns a sentence for each, with what to do
 */
export function upwardImports(sources: readonly Source[]): string[] {
  return crossingsIn(sources)
    .filter(({ from, to }) => dirname(from).startsWith(`${dirname(to)}/`))
    .map(({ from, to }) => {
      const [child] = dirname(from)
        .slice(dirname(to).length + 1)
        .split('/');
      return `${from} imports ${to}, which is in a folder above its own: move ${to} into a folder beside ${dirname(to)}/${child}`;
    });
}

/**
 * Circles of folders that import each other's files, types included.
 * @returns a sentence for each group of folders that reach each other, with what to do
 */
export function folderCircles(sources: readonly Source[]): string[] {
  const crossings = crossingsIn(sources);
  const graph = new Map<string, string[]>();
  for (const { from, to } of crossings) graph.set(dirname(from), [...(graph.get(dirname(from)) ?? []), dirname(to)]);
  return circlesOf(graph).map((circle) => {
    const steps = circle.slice(1).map((folder, index) => {
      const step = crossings.find(({ from, to }) => dirname(from) === circle[index] && dirname(to) === folder);
      return `${step?.from} imports ${step?.to}`;
    });
    return `${circle.join(' → ')} is a circle of folders: ${steps.join(', ')}: move what they share into a folder of its own`;
  });
}

function crossingsIn(sources: readonly Source[]): readonly Crossing[] {
  const known = new Set(sources.map(({ path }) => path).filter((path) => /^(crds|src|operator|cli)\//.test(path)));
  return sources
    .filter(({ path }) => known.has(path))
    .flatMap((source) => importsOf(source).map((to) => ({ from: source.path, to })))
    .filter(({ from, to }) => known.has(to) && dirname(from) !== dirname(to) && !readsItsController(from, to));
}

/** The rules of a plan and the findings of a controller read the view, the situation and the conditions beside them. */
function readsItsController(from: string, to: string): boolean {
  const isPart = /^operator\/controllers\/.+\/(plan|findings)\/[^/]+$/.test(from);
  return isPart && dirname(dirname(from)) === dirname(to) && /\/(view|situation|conditions)\.ts$/.test(to);
}
