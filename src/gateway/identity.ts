import type { Identity } from '../workload/identity.js';
import { proxyLabels } from './front.js';

/** The GatewayClass of the Gateways whose proxies this package runs. */
export const gatewayClassName = 'reconstruct';

/** The name of a namespace's Gateway, and of all that its proxies are made of. */
export const gatewayName = 'reconstruct-gateway';

/** The ports of a Gateway's proxies, by the names that probes and Services refer to. */
export const gatewayPorts = { http: 8000, metrics: 9100 } as const;

/** What the proxies of a Gateway are called and found by. */
export function proxiesOf(gateway: string, namespace: string | undefined): Identity {
  const labels = {
    'app.kubernetes.io/name': 'traefik',
    'app.kubernetes.io/instance': gateway,
    ...proxyLabels(gateway),
  };
  return { name: gateway, namespace, labels };
}
