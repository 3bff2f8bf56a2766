import { Agent } from 'undici';
import { numbers } from '../controllers/algorithm/numbers.js';
import type { Clock } from '../runtime/clock.js';
import type { Cluster } from '../runtime/cluster.js';
import { type Provided, provided } from '../runtime/port.js';
import { numbersSource } from './numbers-source.js';
import { askingPrometheus } from './prometheus.js';
import { type PrometheusLocation, PrometheusWay } from './prometheus-access.js';
import { scraping } from './scrape.js';
import type { Teller } from './teller.js';

/** Somebody who answers how many requests there were, and what ends his connections. */
export interface OpenNumbers {
  readonly provided: Provided;
  readonly close: () => Promise<void>;
}

/**
 * Has a Prometheus asked, where there is one, and else the pods themselves. Connects to nobody before something is asked.
 * @param prometheus its `url` is empty where there is none
 */
export function openNumbers(
  prometheus: PrometheusLocation,
  { cluster, clock }: { readonly cluster: Pick<Cluster, 'list'>; readonly clock: Clock },
): OpenNumbers {
  const answering = (tell: Teller) => provided(numbers, numbersSource({ cluster, clock, tell }));
  if (prometheus.url !== '') {
    const way = new PrometheusWay(prometheus);
    return { provided: answering(askingPrometheus(() => way.access())), close: () => way.close() };
  }
  const dispatcher = new Agent();
  return { provided: answering(scraping({ dispatcher, clock })), close: () => dispatcher.close() };
}
