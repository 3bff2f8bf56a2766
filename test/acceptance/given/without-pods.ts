import { ControlPlane } from '../../../operator/testing/index.js';
import { install } from './installation.js';

/**
 * A control plane of the test's own, on which Deployments get no Pods. On the shared one Pods never start, because no
 * kubelet runs there, and each Algorithm would ask for the cause after some time.
 * @param off other controllers of Kubernetes that do not run
 */
export async function controlPlaneWithoutPods(...off: readonly string[]): Promise<ControlPlane> {
  const controllers = ['*', ...['replicaset-controller', ...off].map((name) => `-${name}`)].join(',');
  const controlPlane = await ControlPlane.start({ audit: true, controllerManagerFlags: { controllers } });
  await install(controlPlane);
  return controlPlane;
}
