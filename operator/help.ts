import { describeOptions } from './config.js';

/** The options of an operator's process, for people: each with its variable, its default and what it does. */
export function optionsInWords(): string {
  const lines = describeOptions().map(({ meaning, ...option }) => {
    const set = `${option.flag}  (${option.variable}${option.default && `, default ${option.default}`})`;
    return `  ${set}\n      ${meaning.replaceAll('`', '')}`;
  });
  return lines.join('\n');
}
