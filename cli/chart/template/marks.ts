/** What stands in rendered objects for something that Helm knows. */
export interface ConstantMark {
  readonly text: string;
  /** The template expression that replaces it. */
  readonly expression: string;
}

/** The marks that no value of the chart sets. */
export const constantMarks = {
  namespace: { text: 'mark-release-namespace-x', expression: '$.Release.Namespace' },
  service: { text: 'mark-release-service-x', expression: '$.Release.Service' },
  version: { text: 'mark-app-version-x', expression: '$.Chart.AppVersion' },
  chart: { text: 'mark-chart-x', expression: 'include "reconstruct.chart" $' },
  controllers: { text: 'mark-controllers-x', expression: 'include "reconstruct.controllers" $' },
} as const satisfies Readonly<Record<string, ConstantMark>>;
