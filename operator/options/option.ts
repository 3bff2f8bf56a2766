/** An option of the operator: a flag and an environment variable. */
export interface Option<T> {
  /** One sentence for people, in Markdown. */
  readonly meaning: string;
  /** @throws {Error} with what was expected, such as `an integer from 0 to 9` */
  readonly read: (text: string) => T;
}

/** An option with its default. */
export interface DeclaredOption<T> extends Option<T> {
  readonly default: T;
}

/** Declarations of options by their names in camel case: `postgresRepository` is the flag `--postgres-repository`. */
export type DeclaredOptions<O> = { readonly [K in keyof O]: DeclaredOption<O[K]> };
