/**
 * A declaration of a generated module. In its code, names of declarations of the module are marked with {@link marked}, and
 * its title with {@link titled}, so that declarations can be compared without their names.
 */
export interface Declaration {
  readonly name: string;
  /** The JSDoc comment before the code, or an empty text. */
  readonly comment: string;
  readonly code: string;
  /** How the code gets another name. A declaration of a kind has none: it stays what it is. */
  readonly alias?: Alias;
  /** Whether a declaration with another comment is equal too. @default false */
  readonly isNamed?: boolean;
}

/** The names of a declaration in statements that import or export it. */
export interface Alias {
  /** The name of the type, from its marked name. */
  readonly type: string;
  /** The name of the function that converts a value, from its marked name. */
  readonly conversion?: string;
  /** Whether the declaration is a value too, such as an enum. @default false */
  readonly isValue?: boolean;
}

/** A generated module. */
export interface Module {
  readonly file: string;
  /** Imports from other packages. */
  readonly head: string;
  readonly declarations: readonly Declaration[];
}

const NAME = '\u0001';
const TITLE = '\u0002';
const MARKS = new RegExp(`${NAME}([^${NAME}]*)${NAME}|${TITLE}([^${TITLE}]*)${TITLE}`, 'g');

/** The name of a declaration in code. */
export const marked = (name: string) => NAME + name + NAME;

/** The title of a declaration in its comments. */
export const titled = (title: string) => TITLE + title + TITLE;

/** The code with names and titles in place of the marks. */
export function unmarked(
  code: string,
  nameOf: (name: string) => string = (name) => name,
  titleOf: (title: string) => string = (title) => title,
): string {
  return code.replace(MARKS, (_mark, name: string | undefined, title: string | undefined) =>
    name === undefined ? titleOf(title ?? '') : nameOf(name),
  );
}

/** The names that a code refers to. */
export function namesIn(code: string): readonly string[] {
  return [...code.matchAll(MARKS)].flatMap(([, name]) => (name === undefined ? [] : [name]));
}
