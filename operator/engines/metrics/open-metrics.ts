import { Agent } from 'undici';
import { requestMetrics } from '../../controllers/algorithm/ports/request-metrics.js';
import type { Clock } from '../../runtime/ports/clock.js';
import type { Cluster } from '../../runtime/ports/cluster.js';
import { type Provided, provided } from '../../runtime/ports/external-port.js';
import { askingPrometheus } from './prometheus.js';
import { type PrometheusLocation, PrometheusWay } from './prometheus-access.js';
import { requestMetricsSource } from './request-metrics-source.js';
import { scraping } from './scrape.js';
import type { Scraper } from './scraper.js';

/** A source of request metrics, and a function that closes its connections. */
export interface OpenMetrics {
  readonly provided: Provided;
  readonly close: () => Promise<void>;
}

/**
 * Polls Prometheus if it is configured, and the Pods otherwise. Opens no connection before the first question.
 * @param prometheus an empty `url` means that Prometheus is not configured
 */
export function openMetrics(
  prometheus: PrometheusLocation,
  { cluster, clock }: { readonly cluster: Pick<Cluster, 'list'>; readonly clock: Clock },
): OpenMetrics {
  const answering = (tell: Scraper) => provided(requestMetrics, requestMetricsSource({ cluster, clock, tell }));
  if (prometheus.url !== '') {
    const way = new PrometheusWay(prometheus);
    return { provided: answering(askingPrometheus(() => way.access())), close: () => way.close() };
  }
  const dispatcher = new Agent();
  return { provided: answering(scraping({ dispatcher, clock })), close: () => dispatcher.close() };
}
