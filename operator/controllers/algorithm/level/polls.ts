import { secondsOf } from '../../../../crds/index.js';
import type { AlgorithmResource } from '../../../../imports/index.js';
import { gatewayName, gatewayPorts, proxyLabels, suffixedName } from '../../../../src/index.js';
import type { PollBuilder, PollRequest } from '../../../runtime/index.js';
import { type RequestMetricsQuestion, requestMetrics } from '../ports/request-metrics.js';
import { writtenEvery } from './budget.js';
import { isLevelled } from './view.js';

/** The external data that the service level polls. */
export const polls = (ask: PollBuilder<AlgorithmResource>) => ({ numbers: ask(requestMetrics, numbersAsked) });

/** Polls the request metrics of the stable version, while its requests go through a gateway that counts them. */
function numbersAsked({
  resource,
}: {
  readonly resource: AlgorithmResource;
}): PollRequest<RequestMetricsQuestion> | undefined {
  const { metadata, spec, status } = resource;
  const isRouted = status?.conditions?.some(({ type, status: is }) => type === 'Routed' && is === 'True');
  if (!isLevelled(resource) || !isRouted) return undefined;
  const interval = secondsOf(spec.lifecycle?.trial.interval ?? '10s') * 1000;
  const { name = gatewayName } = spec.gateway ?? {};
  const question = {
    namespace: metadata.namespace ?? '',
    sides: { stable: { services: [suffixedName(metadata.name, 'stable')] } },
    proxies: { labels: proxyLabels(name), port: gatewayPorts.metrics },
  };
  // Readings since the last status write must still be available.
  return { question, interval, keep: Math.max(12, Math.ceil(writtenEvery / interval) + 3) };
}
