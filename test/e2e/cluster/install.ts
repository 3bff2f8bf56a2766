import { kubectl } from './kubectl.js';

/** Whether each node is to have a proxy. */
export const onEachNode = process.env['RECONSTRUCT_E2E_PROXIES'] === 'DaemonSet';

/** One of the Gateway API's definitions. */
const gatewayDefinition = 'crd/gatewayclasses.gateway.networking.k8s.io';

/**
 * Installs what users install: `dist/`, with the image that `npm run images` has brought, and the class of its proxies.
 * The Gateway API is left as it is where the cluster has it.
 */
export async function install(): Promise<void> {
  await apply('dist/');
  for (const kind of ['algorithms.ai.alien6.io', 'databases.reconstruct.dev']) await established(`crd/${kind}`);
  const found = await kubectl(['get', gatewayDefinition, '--ignore-not-found', '--output=name']);
  if (found === '') await apply('dist/gateway/0000-definitions.k8s.yaml');
  await established(gatewayDefinition);
  await apply('dist/gateway/0001-class.k8s.yaml');
  const choice = `RECONSTRUCT_GATEWAY_PROXIES${onEachNode ? '=DaemonSet' : '-'}`;
  await kubectl(['--namespace=reconstruct-system', 'set', 'env', 'deployment/reconstruct', choice]);
}

async function apply(path: string): Promise<void> {
  await kubectl(['apply', '--server-side', '--force-conflicts', '-f', path]);
}

async function established(definition: string): Promise<void> {
  await kubectl(['wait', '--for=condition=Established', definition, '--timeout=30s']);
}
