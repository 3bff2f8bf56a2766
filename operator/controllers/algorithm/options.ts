import type { ProxyWorkload } from '../../../src/index.js';
import { controllerOptions } from '../../options/controller-options.js';
import { algorithm, algorithmBehind } from './index.js';

/** The Algorithms depend on the workload that runs the proxies of their gateways. */
export const algorithmOptions = controllerOptions<object, { readonly gatewayProxies: ProxyWorkload }>(
  {},
  (controllers, { gatewayProxies }) =>
    controllers.map((controller) => (controller === algorithm ? algorithmBehind(gatewayProxies) : controller)),
);
