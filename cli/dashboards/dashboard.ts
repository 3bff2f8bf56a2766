/** A dashboard for Grafana, as `docs/monitoring` has it. */
export interface Dashboard {
  /** Name of the file, without its extension. */
  readonly file: string;
  /** Identifier in Grafana, which links use. It stays when the title changes. */
  readonly uid: string;
  readonly title: string;
  /** Metrics with a label `namespace`, from which the dashboard offers its namespaces. */
  readonly namespacesOf: readonly string[];
  /** Numbers in the first rows. */
  readonly stats: readonly Stat[];
  /** Graphs over time below. */
  readonly graphs: readonly Graph[];
}

/** A panel with one number: a count from 0. */
export interface Stat {
  readonly title: string;
  /** Hint beside the title. @default none */
  readonly description?: string;
  /** Query in PromQL. */
  readonly query: string;
}

/** A panel with lines over time. */
export interface Graph {
  readonly title: string;
  /** Hint beside the title. @default none */
  readonly description?: string;
  readonly unit: Unit;
  /** Whether values can be negative. If not, the axis starts at 0. @default false */
  readonly signed?: boolean;
  /** Largest value of the axis. @default none */
  readonly max?: number;
  /** Queries in PromQL, by the legend of their lines. */
  readonly queries: Readonly<Record<string, string>>;
}

/**
 * Units of Grafana: numbers, bytes, bytes and operations per second, milliseconds and seconds, percentages from 0 to 100
 * and from 0 to 1.
 * @see https://github.com/grafana/grafana/blob/main/packages/grafana-data/src/valueFormats/categories.ts
 */
export type Unit = 'short' | 'bytes' | 'Bps' | 'ops' | 'ms' | 's' | 'percent' | 'percentunit';
