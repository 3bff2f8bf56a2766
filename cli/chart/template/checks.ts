import { allOf, type Condition } from '../logic/condition.js';
import { conditionText, type SettingText } from './condition-text.js';

/** What the chart refuses, and why. */
export interface Check {
  readonly condition: Condition;
  readonly message: string;
}

/** The template that renders nothing, and fails with all problems of the values. */
export function checksTemplate(checks: readonly Check[], settingText: SettingText): string {
  const lines = checks.flatMap(({ condition, message }) => [
    `{{- if ${conditionText(condition, settingText)} }}`,
    `{{- $problems = append $problems ${JSON.stringify(message)} }}`,
    '{{- end }}',
  ]);
  const start = '{{- /* Combinations of values that cannot work. The schema checks each value. */ -}}';
  return [
    start,
    '{{- $problems := list }}',
    ...lines,
    '{{- if $problems }}',
    '{{- fail (join "\\n" $problems) }}',
    '{{- end }}',
    '',
  ].join('\n');
}

/** Holds if no system is chosen. */
export function withoutSystem(systems: readonly string[]): Condition {
  return allOf(systems.map((system) => ({ not: { system } })));
}
