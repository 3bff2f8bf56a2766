import type { AlgorithmResource } from '../../imports/index.js';
import { printable } from '../../operator/telemetry/printable-text.js';
import { alignedRows } from '../output/aligned-rows.js';

/** The versions of an Algorithm, newest first, as lines of text. */
export function historyTable({ status }: AlgorithmResource): readonly string[] {
  const { history = [] } = status ?? {};
  if (history.length === 0) return ['no versions were tried yet'];
  const rows = history.map(({ image, from, to, outcome, why }) =>
    [image, outcome, from, to ?? 'now', why].map(printable),
  );
  return alignedRows([['IMAGE', 'OUTCOME', 'FROM', 'TO', 'WHY'], ...rows]);
}
