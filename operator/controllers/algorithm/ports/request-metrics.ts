import type { Port } from '../../../runtime/index.js';
import type { Reading } from '../judgement/index.js';

/** Pods in the namespace of the Algorithm, and the port of their metrics (path `/metrics`). */
export interface MetricsPods {
  readonly labels: Readonly<Record<string, string>>;
  readonly port: number;
}

/** One side: the stable version, the version on trial or a variant. */
export interface SideQuestion {
  /** The Services of the side, as backends on port 80. Proxies count requests by Service. */
  readonly services: readonly string[];
  /** The Pods of the side, polled for the drift metric. @default - no Pods are polled */
  readonly pods?: MetricsPods;
}

/** The question to the proxies and Pods that count the requests of an Algorithm. */
export interface RequestMetricsQuestion {
  readonly namespace: string;
  /** By a name that the caller chooses. */
  readonly sides: Readonly<Record<string, SideQuestion>>;
  /** The Pods of the gateway that counts the requests. */
  readonly proxies: MetricsPods;
  /** Name of the histogram for drift, without `_bucket`. @default - drift is not polled */
  readonly drift?: string;
}

/** The answer. */
export interface RequestMetricsAnswer {
  /** One reading for each requested side, all of the same time. */
  readonly sides: Readonly<Record<string, Reading>>;
  /** The sources that are proxies; the others are Pods of the sides. */
  readonly proxies: readonly string[];
  /** Pods that did not report and why, for users: `pod web-1: no answer within 3000 ms`. */
  readonly silent: readonly string[];
}

/** Port to the request metrics of an Algorithm. Rejects if no source could be polled. */
export const requestMetrics: Port<RequestMetricsQuestion, RequestMetricsAnswer> = {
  name: 'reconstruct/numbers',
  rbacRules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }],
};
