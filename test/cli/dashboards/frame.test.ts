import { describe, expect, test } from 'vitest';
import type { Dashboard, Graph, Stat } from '../../../cli/dashboards/dashboard.js';
import { framed } from '../../../cli/dashboards/frame.js';
import { dashboards } from '../../../cli/systems.js';

interface Framed {
  readonly templating: { readonly list: readonly { readonly query: string | { readonly query: string } }[] };
  readonly panels: readonly {
    readonly id: number;
    readonly gridPos: object;
    readonly fieldConfig: { readonly defaults: object };
    readonly targets: readonly object[];
  }[];
}

const stat: Stat = { title: 'Trials', query: 'vector(1)' };
const graph: Graph = { title: 'Loss', unit: 'short', queries: { loss: 'vector(2)' } };
const dashboard: Dashboard = {
  ...{ file: 'given', uid: 'reconstruct-given', title: 'Given', namespacesOf: ['given_total'] },
  ...{ stats: [], graphs: [] },
};

const grafana = (given: Partial<Dashboard>) => framed({ ...dashboard, ...given }) as Framed;

describe('a dashboard', () => {
  test.each([
    { stats: 0, graphs: 3, places: ['0,0', '12,0', '0,8'] },
    { stats: 2, graphs: 1, places: ['0,0', '6,0', '0,4'] },
    { stats: 4, graphs: 2, places: ['0,0', '6,0', '12,0', '18,0', '0,4', '12,4'] },
    { stats: 5, graphs: 1, places: ['0,0', '6,0', '12,0', '18,0', '0,4', '0,8'] },
  ])('of $stats numbers and $graphs graphs has its panels at $places', ({ stats, graphs, places }) => {
    const { panels } = grafana({ stats: Array(stats).fill(stat), graphs: Array(graphs).fill(graph) });
    const small = { h: 4, w: 6 };
    const large = { h: 8, w: 12 };
    const expected = places.map((place, index) => {
      const [x, y] = place.split(',').map(Number);
      return { ...(index < stats ? small : large), x, y };
    });
    expect(panels.map(({ gridPos }) => gridPos)).toEqual(expected);
    expect(panels.map(({ id }) => id)).toEqual(places.map((_, index) => index + 1));
  });

  test.each([
    { axis: 'from 0', given: {}, expected: { unit: 'short', min: 0 } },
    { axis: 'without a start, for values that can be negative', given: { signed: true }, expected: { unit: 'short' } },
    { axis: 'from 0 to 1', given: { max: 1 }, expected: { unit: 'short', min: 0, max: 1 } },
  ])('has graphs with an axis $axis', ({ given, expected }) => {
    const [panel] = grafana({ graphs: [{ ...graph, ...given }] }).panels;
    expect(panel?.fieldConfig.defaults).toEqual(expected);
  });

  test('has a legend for each query', () => {
    const [panel] = grafana({ graphs: [{ ...graph, queries: { polls: 'vector(1)', calls: 'vector(2)' } }] }).panels;
    expect(panel?.targets).toEqual([
      { refId: 'A', expr: 'vector(1)', legendFormat: 'polls' },
      { refId: 'B', expr: 'vector(2)', legendFormat: 'calls' },
    ]);
  });

  test.each([
    { metrics: ['a_total'], query: 'label_values(a_total, namespace)' },
    { metrics: ['a_total', 'b_total'], query: 'label_values({__name__=~"a_total|b_total"}, namespace)' },
  ])('offers the namespaces of $metrics', ({ metrics, query }) => {
    const [, namespaces] = grafana({ namespacesOf: metrics }).templating.list;
    expect(namespaces?.query).toMatchObject({ query });
  });
});

test.each(['file', 'uid', 'title'] as const)('no two dashboards have the same %s', async (key) => {
  const values = (await dashboards()).map((one) => one[key]);
  expect(new Set(values).size).toBe(values.length);
});
