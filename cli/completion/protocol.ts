/** The hidden argument with which the scripts of shells ask for completions. The words of the user follow it. */
export const completionRequest = '__complete';

/**
 * What a shell does with completions, as bits of a number.
 * @see https://github.com/spf13/cobra/blob/main/site/content/completions/_index.md
 */
export const directive = { files: 0, noSpace: 2, noFiles: 4 } as const;

/** A word that the user may want. */
export interface Completion {
  readonly value: string;
  readonly description?: string;
}

/** The words that fit, and what a shell does with them. */
export interface Completions {
  readonly values: readonly Completion[];
  /** A sum of bits of {@link directive}. @default directive.noFiles */
  readonly directive?: number;
}

/** No word: the shell completes files. */
export const files: Completions = { values: [], directive: directive.files };

/** The answer in lines: each word with a tab and its description, and then the directive. */
export function answerLines({ values, directive: how = directive.noFiles }: Completions): readonly string[] {
  const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ');
  const lines = values.map(({ value, description = '' }) =>
    description === '' ? value : `${value}\t${oneLine(description)}`,
  );
  return [...lines, `:${how}`];
}
