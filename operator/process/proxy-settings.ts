import type { Config } from '../config/config.js';
import { algorithm, algorithmBehind } from '../controllers/algorithm/index.js';
import { gateway, gatewayServedBy } from '../controllers/gateway/index.js';
import type { Controller } from '../runtime/index.js';
import { resourceListIn } from './resource-list.js';

/** The options of the proxies of Gateways. */
export type ProxyOptions = Pick<Config, 'gatewayProxies' | 'proxyRequests' | 'proxyLimits'>;

/**
 * The same controllers, with the given workload and resources for the proxies of Gateways.
 * @throws {Error} if a request is above its limit
 */
export function withProxySettings(
  { gatewayProxies: workload, proxyRequests, proxyLimits }: ProxyOptions,
  controllers: readonly Controller[],
): readonly Controller[] {
  const resources = { requests: resourceListIn(proxyRequests), limits: resourceListIn(proxyLimits) };
  const those = new Map<Controller, Controller>([
    [gateway, gatewayServedBy({ workload, resources })],
    [algorithm, algorithmBehind(workload)],
  ]);
  return controllers.map((controller) => those.get(controller) ?? controller);
}
