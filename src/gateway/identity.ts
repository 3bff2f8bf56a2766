import type { Identity } from '../workload/identity.js';
import { proxyLabels } from './front.js';

/** The class of the Gateways that the proxies of this package serve. */
export const gatewayClassName = 'reconstruct';

/** The name of the Gateway of a namespace, and of the objects of its proxies. */
export const gatewayName = 'reconstruct-gateway';

/** The ports of the proxies of a Gateway, by the names that probes and Services use. */
export const gatewayPorts = { http: 8000, metrics: 9100 } as const;

/** The name, namespace and labels of the proxies of a Gateway. */
export function proxiesOf(gateway: string, namespace: string | undefined): Identity {
  const labels = {
    'app.kubernetes.io/name': 'traefik',
    'app.kubernetes.io/instance': gateway,
    ...proxyLabels(gateway),
  };
  return { name: gateway, namespace, labels };
}
