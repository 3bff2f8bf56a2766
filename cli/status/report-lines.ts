import type { Cell, Table } from '../../operator/runtime/controller/facts.js';
import { keyOf } from '../../operator/runtime/kubernetes/object.js';
import { lengthOf } from '../../operator/runtime/kubernetes/relative-time.js';
import { printable } from '../../operator/telemetry/printable-text.js';
import { alignedRows } from '../output/aligned-rows.js';
import type { ShownObject } from './owned-objects.js';
import type { Problem } from './problems.js';
import type { StatusReport } from './status-report.js';

const none = '-';
/** Rows of the table of objects. */
const shownObjects = 40;

/** One screen for the person on call: what is worst and what to do come first. @param now milliseconds since 1970 */
export function reportLines(report: StatusReport, now: number): readonly string[] {
  const { kind, problems, conditions, objects, tables, notes } = report;
  const rows = conditions.map(({ type, status, reason, lastTransitionTime }) => ({
    ...{ CONDITION: type, STATUS: status, REASON: reason, AGE: ageOf(lastTransitionTime, now) },
  }));
  return sections([
    ...headLines(`${kind} ${keyOf(report)}: `, problems),
    tableLines({ rows }),
    objectLines(objects, report.namespace, now),
    ...tables.map(tableLines),
    notes.map(oneLine),
  ]);
}

/** The worst problem after a title, further problems, and what is in progress. */
export function headLines(title: string, problems: readonly Problem[]): readonly (readonly string[])[] {
  const [worst, ...further] = problems.filter(({ isProgress }) => !isProgress);
  const progress = problems.filter(({ isProgress }) => isProgress);
  const indented = (some: readonly Problem[]) => some.flatMap((one) => problemLines(one, { indent: '  ' }));
  return [
    worst ? problemLines(worst, { title }) : [oneLine(`${title}No problems.`)],
    further.length === 0 ? [] : ['Further problems:', ...indented(further)],
    progress.length === 0 ? [] : ['In progress:', ...indented(progress)],
  ];
}

/** A problem, and below it what to do. */
export function problemLines(
  { type, reason, message, action }: Problem,
  { title = '', indent = '' }: { readonly title?: string; readonly indent?: string },
): readonly string[] {
  const words = [`${type} ${reason}`.trim(), message].filter((part) => part !== '').join(': ');
  const steps = action === undefined ? [] : [`${indent}${indent}${oneLine(`To do: ${action}`)}`];
  return [`${indent}${oneLine(`${title}${words}`)}`, ...steps];
}

/** A table as aligned rows below its title. Empty without rows. */
export function tableLines({ title, rows }: Table): readonly string[] {
  if (rows.length === 0) return [];
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) => columns.map((column) => cellText(row[column])));
  return [...(title === undefined ? [] : [oneLine(title)]), ...alignedRows([columns.map(oneLine), ...cells])];
}

function cellText(cell: Cell): string {
  const text = cell === undefined ? '' : oneLine(`${cell}`);
  return text === '' ? none : text;
}

/** Paragraphs, an empty line apart. Those without lines are left out. */
export function sections(all: readonly (readonly string[])[]): readonly string[] {
  return all.filter((lines) => lines.length > 0).flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
}

/** The time since a moment, such as `3d4h`. Undefined for an unknown one. @param time RFC 3339 */
export function ageOf(time: string | undefined, now: number): string | undefined {
  return time === undefined ? undefined : lengthOf(Math.max(0, now - Date.parse(time)));
}

/** Text of others in one line. Some errors have several lines. */
export function oneLine(text: string): string {
  return printable(text.replace(/\s*[\r\n]+\s*/g, ' ').trim());
}

/** If there are too many, those that are not ready come before the rest. */
function objectLines(objects: readonly ShownObject[], home: string | undefined, now: number): readonly string[] {
  const isReady = ({ health }: ShownObject) => health.state === 'Ready';
  const kept =
    objects.length > shownObjects ? objects.toSorted((a, b) => Number(isReady(a)) - Number(isReady(b))) : objects;
  const rows = kept.slice(0, shownObjects).map(({ kind, namespace, name, health, created }) => ({
    ...{
      OBJECT: kind,
      NAME: namespace === home ? name : keyOf({ name, ...(namespace !== undefined && { namespace }) }),
    },
    ...{ HEALTH: health.state, AGE: ageOf(created, now), WHY: health.message },
  }));
  const hasReasons = rows.some(({ WHY }) => WHY !== undefined);
  const shown = hasReasons ? rows : rows.map(({ WHY: _, ...row }) => row);
  const more = objects.length - rows.length;
  return [...tableLines({ rows: shown }), ...(more > 0 ? [`and ${more} more`] : [])];
}
