import { systemText } from './condition-text.js';

/** A system, and the names of its controllers. */
export interface NamedSystem {
  readonly name: string;
  readonly controllers: readonly { readonly name: string }[];
}

/** The named templates of the chart. */
export function partials(systems: readonly NamedSystem[]): string {
  const names = systems.map(({ name, controllers }) => {
    const list = controllers.map((controller) => controller.name).join(',');
    return `{{- if ${systemText(name)} }}{{ $names = append $names "${list}" }}{{ end }}`;
  });
  return [
    '{{- /* Name and version of the chart, as a label. */ -}}',
    '{{- define "reconstruct.chart" -}}',
    '{{- printf "%s-%s" $.Chart.Name $.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}',
    '{{- end }}',
    '',
    '{{- /* Names of the controllers of the chosen systems, separated by commas. */ -}}',
    '{{- define "reconstruct.controllers" -}}',
    '{{- $names := list }}',
    ...names,
    '{{- join "," $names }}',
    '{{- end }}',
    '',
  ].join('\n');
}
