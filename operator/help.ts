import { describeOptions } from './config.js';

/**
 * The options of an operator's process, for people: each with its variable, its default and what it does.
 * @param given defaults that are others here, by variable
 */
export function optionsInWords(given: Readonly<Record<string, string>> = {}): string {
  const lines = describeOptions().map(({ meaning, ...option }) => {
    const byDefault = given[option.variable] ?? option.default;
    const set = `${option.flag}  (${option.variable}${byDefault && `, default ${byDefault}`})`;
    return `  ${set}\n      ${meaning.replaceAll('`', '')}`;
  });
  return lines.join('\n');
}
