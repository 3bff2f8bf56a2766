import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import '../runner/control-plane.setup.js'; // declares what is provided
import { kubeconfig } from '../../operator/cluster/connection/kubeconfig.js';
import { Transport } from '../../operator/cluster/http/transport.js';
import { KubernetesCluster } from '../../operator/cluster/kubernetes-cluster.js';
import { ClusterAccess, type ClusterLocation } from '../../operator/testing/index.js';
import { gatewayApiCrds } from '../../src/index.js';

const location = await locationOf(process.env['VITEST_POOL_ID'] ?? '');

/** Asks for a control plane, such as that of a worker. The first test that asks starts it. */
async function locationOf(name: string): Promise<ClusterLocation> {
  const response = await fetch(`${inject('controlPlanes')}/${name}`);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as ClusterLocation;
}

/** One for all tests, so that each line of the audit log is parsed once, however many of them wait for one. */
const shared = new ClusterAccess(location);

/** The control plane that all files of this worker share; each test has its own namespace there. */
export function givenControlPlane(): ClusterAccess {
  return shared;
}

/**
 * A control plane with the Gateway API. The workers share it, so its tests change cluster-scoped objects only if no test
 * depends on them.
 */
export async function givenGatewayControlPlane(): Promise<ClusterAccess> {
  const controlPlane = new ClusterAccess(await locationOf('gateway-api'));
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: gatewayApiCrds() });
  const commands = [
    { args: ['apply', '--server-side', '-f', '-'], input },
    { args: ['wait', '--for=condition=Established', 'crd', '--all', '--timeout=120s'] },
  ];
  for (const { args, ...options } of commands) {
    const { code, stderr } = await controlPlane.kubectl(args, options);
    if (code !== 0) throw new Error(`the Gateway API is not installed: ${stderr.trim()}`);
  }
  return controlPlane;
}

/** The administrator's client of each control plane: kubectl takes 0.2 s of CPU for each command. */
const clients = new Map<string, Promise<KubernetesCluster>>();

export function administratorOf({ kubeconfig: path }: ClusterAccess): Promise<KubernetesCluster> {
  const client = clients.get(path) ?? kubeconfig(path).then((one) => new KubernetesCluster(new Transport(one)));
  clients.set(path, client);
  return client;
}

/** Creates a namespace that no other test has, and returns its name. */
export async function freshNamespace(controlPlane: ClusterAccess, prefix = 'test'): Promise<string> {
  const name = `${prefix}-${randomBytes(5).toString('hex')}`;
  const { code, stderr } = await controlPlane.kubectl(['create', 'namespace', name]);
  if (code !== 0) throw new Error(`namespace ${name} was not created: ${stderr.trim()}`);
  return name;
}
