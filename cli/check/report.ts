import { oneLine } from '../status/report-lines.js';
import { type Finding, isWell } from './findings/finding.js';

/** What `--output=json` prints. */
export interface CheckReport {
  /** Whether every finding is `ok` or `info`. */
  readonly ok: boolean;
  readonly findings: readonly Finding[];
}

/** The findings as an object. */
export function reportOf(findings: readonly Finding[]): CheckReport {
  return { ok: isWell(findings), findings };
}

/** A line for each finding, what to do below it, and a line with the result. */
export function findingLines(findings: readonly Finding[]): readonly string[] {
  const width = (texts: readonly string[]) => Math.max(...texts.map(({ length }) => length));
  const states = width(findings.map(({ state }) => state));
  const parts = width(findings.map(({ part }) => part));
  const lines = findings.flatMap(({ state, part, message, action }) => [
    oneLine(`${state.padEnd(states)}  ${part.padEnd(parts)}  ${message}`),
    ...(action === undefined ? [] : [`${' '.repeat(states + parts + 4)}${oneLine(`To do: ${action}`)}`]),
  ]);
  return [...lines, '', resultOf(findings)];
}

function resultOf(findings: readonly Finding[]): string {
  const count = (state: Finding['state']) => findings.filter((one) => one.state === state).length;
  const [problems, unknown] = [count('problem'), count('unknown')];
  if (problems + unknown === 0) return 'The installation works.';
  const parts = [
    ...(problems > 0 ? [`${problems} ${problems === 1 ? 'problem' : 'problems'}`] : []),
    ...(unknown > 0 ? [`${unknown} not checked`] : []),
  ];
  return `${parts.join(', ')}.`;
}
