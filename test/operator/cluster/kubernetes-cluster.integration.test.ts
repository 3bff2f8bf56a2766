import { afterAll } from 'vitest';
import { kubeconfig } from '../../../operator/cluster/kubeconfig.js';
import { KubernetesCluster } from '../../../operator/cluster/kubernetes-cluster.js';
import { Transport } from '../../../operator/cluster/transport.js';
import { freshNamespace, givenControlPlane } from '../../given-control-plane.js';
import { clusterContract } from './cluster.contract.js';

const controlPlane = givenControlPlane();
const transport = kubeconfig(controlPlane.kubeconfig).then((connection) => new Transport(connection));

afterAll(async () => (await transport).close());

clusterContract(async () => ({
  cluster: new KubernetesCluster(await transport),
  namespace: await freshNamespace(controlPlane),
}));
