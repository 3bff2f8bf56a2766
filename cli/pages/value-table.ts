import type { DocumentedValue } from '../chart/values/value.js';
import { code, type Sections, tableOf } from './sections.js';

/** The table of the chart's values: `<!-- values -->`. */
export function valueTable(values: readonly DocumentedValue[]): Sections {
  const rows = values.map(({ name, default: value, about }) => [code(name), code(JSON.stringify(value)), about]);
  return { values: () => tableOf([['value', 'default', 'meaning'], ...rows]) };
}
