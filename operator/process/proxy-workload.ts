import type { Config } from '../config.js';
import { algorithm, algorithmBehind } from '../controllers/algorithm/index.js';
import { gateway, gatewayServedBy } from '../controllers/gateway/index.js';
import type { Controller } from '../runtime/index.js';

/** The same controllers, with the given workload for the proxies of Gateways. */
export function withProxyWorkload(
  workload: Config['gatewayProxies'],
  controllers: readonly Controller[],
): readonly Controller[] {
  const those = new Map<Controller, Controller>([
    [gateway, gatewayServedBy(workload)],
    [algorithm, algorithmBehind(workload)],
  ]);
  return controllers.map((controller) => those.get(controller) ?? controller);
}
