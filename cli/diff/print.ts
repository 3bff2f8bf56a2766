import { structuredPatch } from 'diff';
import { printable } from '../../operator/telemetry/printable-text.js';
import { stringifyYaml } from '../../operator/yaml/stringify-yaml.js';
import { titleOf } from '../controllers/resource-controllers.js';
import type { Difference, Differences } from './differences.js';
import type { Shown } from './display.js';

const colours = { bold: '\x1b[1m', red: '\x1b[31m', green: '\x1b[32m', cyan: '\x1b[36m', yellow: '\x1b[33m' } as const;
const plain = '\x1b[0m';

type Paint = (colour: keyof typeof colours, text: string) => string;

/** The changes as text for users. @param isColoured for a terminal */
export function textOf({ resource, changes, notes }: Differences, isColoured: boolean): string {
  const paint: Paint = (colour, text) => (isColoured ? `${colours[colour]}${text}${plain}` : text);
  const lines = [
    ...changes.flatMap((change) => linesOf(change, paint)),
    ...notes.map((note) => paint('yellow', printable(`${titleOf(resource)}: ${note}`))),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function linesOf({ action, object, before, after }: Difference, paint: Paint): readonly string[] {
  const title = paint('bold', `${action} ${titleOf(object)}`);
  const { hunks } = structuredPatch('', '', yamlOf(before), yamlOf(after), '', '', { context: 3 });
  const hunkLines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    paint('cyan', `@@ -${rangeOf(oldStart, oldLines)} +${rangeOf(newStart, newLines)} @@`),
    ...lines
      .map(printable)
      .map((line) => (line.startsWith('+') ? paint('green', line) : line.startsWith('-') ? paint('red', line) : line)),
  ]);
  return [title, ...hunkLines];
}

/** YAML with sorted keys, so that only different values show up as a difference. */
function yamlOf(object: Shown | undefined): string {
  return object ? stringifyYaml(object, { sortKeys: true }) : '';
}

/** An empty range starts one line earlier, as in unified diffs. */
function rangeOf(start: number, lines: number): string {
  return `${lines === 0 ? start - 1 : start},${lines}`;
}
