import {
  additions,
  folderRules,
  type ImportRule,
  importRules,
  type LibraryRule,
  libraryRules,
} from './import-rules.js';
import { importsOf, type Source } from './sources.js';

/**
 * The imports of a file that no rule allows.
 * @param libraries rows of packages that only some files may load. @default libraryRules
 * @returns a sentence for each, with the reason
 */
export function forbiddenImports(source: Source, libraries: readonly LibraryRule[] = libraryRules): string[] {
  const { path } = source;
  const rule = ruleFor(path);
  if (!rule) return [`${path} is in no folder that the rules know: add one`];
  const isAllowed = (to: string) =>
    rule.may.some((pattern) => pattern.test(to)) && !rule.never?.some((pattern) => pattern.test(to));
  // A test may load every package.
  const rows = path.startsWith('test/') ? [] : libraries;
  return importsOf(source).flatMap((to) => {
    const row = rows.find(({ library }) => library.test(to));
    if (row ? mayLoad(path, row) : isAllowed(to)) return [];
    return [`${path} imports ${to}: ${(row ?? rule).because}`];
  });
}

/** The rule that holds for a file. */
function ruleFor(path: string): Omit<ImportRule, 'from'> | undefined {
  return importRules.find(({ from }) => from.test(path)) ?? folderRule(path);
}

/** Controllers do not know each other, and neither do engines. */
function folderRule(path: string): Omit<ImportRule, 'from'> | undefined {
  const [folder = '', parent = ''] = /^(operator\/[^/]+)\/[^/]+\//.exec(path) ?? [];
  const rule = folderRules[parent];
  if (!rule) return undefined;
  const added = additions.filter((addition) => addition.folder === folder).flatMap(({ may }) => may);
  return { ...rule, may: [new RegExp(`^${folder}`), ...rule.may, ...added] };
}

/** Whether a file is one of those that may load the package of a row. */
function mayLoad(path: string, { only }: LibraryRule): boolean {
  return [only].flat().some((place) => (place.endsWith('/') ? path.startsWith(place) : path === place));
}
