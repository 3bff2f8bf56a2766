import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Kind } from '../../crds/index.js';
import type { System } from '../../operator/controllers/system.js';

/** A system with what its pages are about. */
export interface SystemPages {
  readonly name: string;
  /** The title of its page `README.md`. */
  readonly title: string;
  /** The kinds of its controllers that users create. */
  readonly kinds: readonly Kind[];
  /** The pages in its folder, by their names. */
  readonly pages: readonly Page[];
  /** The heading of the page `README.md` that has tasks. Undefined if no heading is named so. */
  readonly tasks?: string | undefined;
}

interface Page {
  /** Name in the folder. */
  readonly file: string;
  readonly title: string;
}

/**
 * The pages of a system in `docs/kinds/`.
 * @param kinds all kinds that users create
 */
export function systemPages(root: string, { name, controllers }: System, kinds: readonly Kind[]): SystemPages {
  const folder = path.join(root, 'docs', 'kinds', name);
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.md')) : [];
  const textOf = (file: string) => readFileSync(path.join(folder, file), 'utf8');
  const pages = files.toSorted().map((file) => ({ file, title: titleOf(textOf(file)) ?? file }));
  const concept = files.includes('README.md') ? textOf('README.md') : '';
  const controlled = new Set(controllers.map(({ kind }) => kind.kind));
  return {
    ...{ name, pages, title: titleOf(concept) ?? name, tasks: /^## (Tasks|Changes)$/m.exec(concept)?.[1] },
    kinds: kinds.filter(({ kind }) => controlled.has(kind)),
  };
}

function titleOf(page: string): string | undefined {
  return /^# (.+)$/m.exec(page)?.[1];
}
