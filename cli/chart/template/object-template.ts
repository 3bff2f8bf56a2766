import { type Entry, entriesIn } from '../logic/tree.js';
import { type Guarded, guarded, linesOf, repeated, repeatedBy, type Template, withoutLoop } from './lines.js';

/** The documents of a template file, one for each object. */
export function objectTemplate(objects: readonly Entry[], template: Template): string {
  const documents = objects.map((object) => documentOf(object, template));
  return `${guarded(documents, 0, template).join('\n')}\n`;
}

function documentOf({ condition, tree }: Entry, template: Template): Guarded {
  const metadata = entriesIn(tree)?.find(({ key }) => key === 'metadata');
  const by = metadata && repeatedBy(metadata.tree, template);
  if (!by) return { condition, lines: ['---', ...linesOf(tree, 0, template)] };
  const lines = ['---', ...linesOf(tree, 0, { ...template, inside: by })];
  return { condition: withoutLoop(condition, by), lines: repeated(by, lines, 0) };
}
