import type { Port } from '../../../runtime/index.js';
import type { Reading } from '../judgement/index.js';

/** Pods of the Algorithm's own namespace, and where they tell their metrics (path `/metrics`). */
export interface MetricsPods {
  readonly labels: Readonly<Record<string, string>>;
  readonly port: number;
}

/** One side: the stable version, the one on trial, or a variant. */
export interface SideQuestion {
  /** The Services, as backends on port 80, whose requests are the side's: proxies count by them. */
  readonly services: readonly string[];
  /** The side's own pods: asked for the drift metric. @default - nobody is asked */
  readonly pods?: MetricsPods;
}

/** What is asked of those who count an Algorithm's requests and answers. */
export interface RequestMetricsQuestion {
  readonly namespace: string;
  /** By a name of the asker's. */
  readonly sides: Readonly<Record<string, SideQuestion>>;
  /** The pods of the gateway that counts the requests. */
  readonly proxies: MetricsPods;
  /** The histogram whose drift is judged, as its name without `_bucket`. @default - drift is not asked for */
  readonly drift?: string;
}

/** What they told. */
export interface RequestMetricsAnswer {
  /** One for each side that was asked for, all of the same time. */
  readonly sides: Readonly<Record<string, Reading>>;
  /** Which of the sources are the proxies; the others are pods of the sides. */
  readonly proxies: readonly string[];
  /** Who was there and did not tell, and why, for people: `pod web-1: no answer within 3000 ms`. */
  readonly silent: readonly string[];
}

/** Where the requests and answers of an Algorithm are counted. Rejects when nobody could be asked. */
export const requestMetrics: Port<RequestMetricsQuestion, RequestMetricsAnswer> = {
  name: 'numbers',
  rights: [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }],
};
