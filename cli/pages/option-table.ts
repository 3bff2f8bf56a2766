import type { OptionDescription } from '../../operator/process/flags.js';
import { code, type Sections, tableOf } from './sections.js';

/** The table of the operator's options: `<!-- options -->`. */
export function optionTable(options: readonly OptionDescription[]): Sections {
  const rows = options.map(({ flag, default: text, meaning }) => [code(flag), text && code(text), meaning]);
  return { options: () => tableOf([['flag', 'default', 'meaning'], ...rows]) };
}
