import type { Controller } from '../../operator/runtime/controller/controller.js';
import { code, type Sections, tableOf } from './sections.js';

/** The metrics of single resources: `<!-- metrics -->` becomes a heading and a table for each kind that has any. */
export function metricTables(controllers: readonly Controller[]): Sections {
  const kinds = [...new Set(controllers.map(({ kind }) => kind.kind))];
  const sections = kinds.flatMap((kind) => {
    const of = controllers.filter((controller) => controller.kind.kind === kind);
    const rows = of.flatMap(({ metrics = {} }) => Object.entries(metrics).map(([name, metric]) => row(name, metric)));
    return rows.length === 0
      ? []
      : [`## ${kind}`, '', ...tableOf([['metric', 'type', 'labels', 'meaning'], ...rows]), ''];
  });
  return { metrics: () => sections.slice(0, -1) };
}

type Metric = NonNullable<Controller['metrics']>[string];

function row(name: string, { help, label, labels = label === undefined ? [] : [label] }: Metric): readonly string[] {
  return [code(name), 'gauge', ['namespace', 'name', ...labels].join(', '), help];
}
