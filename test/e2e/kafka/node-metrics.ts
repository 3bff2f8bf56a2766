import { kafkaPorts } from '../../../src/index.js';
import { kubectl } from '../cluster/kubectl.js';

/** The metrics of a node, as Prometheus reads them. The API server forwards the request to the Pod. */
export async function metricsOf(namespace: string, pod: string): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/pods/${pod}:${kafkaPorts.metrics}/proxy/metrics`;
  return kubectl(['get', '--raw', path]);
}

/** The value of a metric without labels. @throws {Error} if the node does not export it */
export function sampleOf(metrics: string, name: string): number {
  const line = metrics.split('\n').find((one) => one.startsWith(`${name} `));
  const value = Number(line?.slice(name.length));
  if (line !== undefined && Number.isFinite(value)) return value;
  const similar = metrics.match(new RegExp(`^${name.slice(0, name.lastIndexOf('_'))}\\S*`, 'gm'));
  throw new Error(`the node exports no ${name}, only ${similar?.join(', ') ?? 'others'}`);
}
