import type { Graph } from './dashboard.js';

/** Legend of a query with a line for each resource. */
export const RESOURCE = '{{namespace}}/{{name}}';

/** Restricts a metric to the selected namespaces, and to series with other labels, such as `topic=""`. */
export function selected(metric: string, ...labels: readonly string[]): string {
  return `${metric}{${['namespace=~"$namespace"', ...labels].join(', ')}}`;
}

/** A metric of each resource. The maximum ignores which operator replica reports it. */
export function ofEach(metric: string): string {
  return `max by (namespace, name) (${selected(metric)})`;
}

/** A query for a panel with one number, which is 0 without series. */
export function orZero(query: string): string {
  return `${query} or vector(0)`;
}

/** Number of resources whose condition has the values in `labels`, summed over the labels in `by`. */
export function resourcesWith(labels: string, by = 'reason'): string {
  return orZero(`sum(max by (${by}) (reconstruct_resources{${labels}}))`);
}

/** A graph of the number of resources by status and reason of a condition. `labels` select the condition. */
export function byReason(title: string, labels: string): Graph {
  return {
    title,
    unit: 'short',
    queries: { '{{status}} {{reason}}': `max by (status, reason) (reconstruct_resources{${labels}})` },
  };
}

/** Sum of a metric over all resources, for each value of a label. */
export function sumBy(label: string, metric: string): string {
  return `sum by (${label}) (max by (namespace, name, ${label}) (${selected(metric)}))`;
}
