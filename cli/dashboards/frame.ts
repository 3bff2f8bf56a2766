import type { Dashboard, Graph, Stat } from './dashboard.js';

/** Columns of Grafana's grid. */
const COLUMNS = 24;
const STAT = { h: 4, w: 6 };
const GRAPH = { h: 8, w: 12 };

/** Prometheus as the user selects it. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana replaces this variable
const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };

/**
 * A dashboard as Grafana imports it: its panels in the frame that all dashboards share.
 * @see https://grafana.com/docs/grafana/latest/dashboards/build-dashboards/view-dashboard-json-model/
 */
export function framed({ uid, title, namespacesOf, stats, graphs }: Dashboard): object {
  const below = Math.ceil(stats.length / (COLUMNS / STAT.w)) * STAT.h;
  return {
    title: `reconstruct: ${title}`,
    uid,
    schemaVersion: 39,
    version: 1,
    editable: true,
    refresh: '10s',
    time: { from: 'now-1h', to: 'now' },
    tags: ['reconstruct'],
    templating: { list: [datasourceVariable, namespaceVariable(namespacesOf)] },
    panels: [
      ...stats.map((stat, index) => statPanel(stat, index + 1, position(STAT, index, 0))),
      ...graphs.map((graph, index) => graphPanel(graph, stats.length + index + 1, position(GRAPH, index, below))),
    ],
  };
}

const datasourceVariable = { name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Prometheus' };

function namespaceVariable(metrics: readonly string[]): object {
  const selector = metrics.length > 1 ? `{__name__=~"${metrics.join('|')}"}` : metrics.join();
  return {
    name: 'namespace',
    type: 'query',
    label: 'Namespace',
    datasource: DATASOURCE,
    query: { query: `label_values(${selector}, namespace)`, refId: 'namespaces' },
    includeAll: true,
    allValue: '.*',
    multi: true,
    refresh: 2,
    current: { text: 'All', value: '$__all' },
  };
}

interface Size {
  readonly h: number;
  readonly w: number;
}

/** Place of the panel with an index, in rows of panels of one size below a line of the grid. */
function position({ h, w }: Size, index: number, below: number): object {
  const inRow = COLUMNS / w;
  return { h, w, x: (index % inRow) * w, y: below + Math.floor(index / inRow) * h };
}

function statPanel({ title, description = '', query }: Stat, id: number, gridPos: object): object {
  return {
    id,
    title,
    description,
    type: 'stat',
    datasource: DATASOURCE,
    gridPos,
    fieldConfig: { defaults: { unit: 'short', min: 0 }, overrides: [] },
    options: { reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false } },
    targets: targets({ '': query }),
  };
}

function graphPanel(graph: Graph, id: number, gridPos: object): object {
  const { title, description = '', unit, signed = false, max, queries } = graph;
  const axis = { ...(signed ? {} : { min: 0 }), ...(max === undefined ? {} : { max }) };
  return {
    id,
    title,
    description,
    type: 'timeseries',
    datasource: DATASOURCE,
    gridPos,
    fieldConfig: { defaults: { unit, ...axis }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom', showLegend: true } },
    targets: targets(queries),
  };
}

/** Queries with the identifiers `A`, `B` and so on. */
function targets(queries: Readonly<Record<string, string>>): readonly object[] {
  return Object.entries(queries).map(([legendFormat, expr], index) => ({
    refId: String.fromCharCode('A'.charCodeAt(0) + index),
    expr,
    legendFormat,
  }));
}
