import type { k8s } from 'cdk8s-plus-27';
import type { AlgorithmSpec } from '../../imports/index.js';
import type { Plain } from '../manifest/plain.js';

/** The ports of a Pod, by the names that probes and the Service use. */
export function containerPorts(spec: AlgorithmSpec): Plain<k8s.ContainerPort>[] {
  const ports = [{ name: 'http', containerPort: spec.port, protocol: 'TCP' }];
  if (hasMetricsPort(spec)) ports.push({ name: 'metrics', containerPort: metricsPort(spec), protocol: 'TCP' });
  return ports;
}

/** The port of the metrics. Defaults to the port of the server. */
export function metricsPort({ metrics, port }: AlgorithmSpec): number {
  return metrics?.port ?? port;
}

/** Whether metrics have a port of their own. */
export function hasMetricsPort(spec: AlgorithmSpec): boolean {
  return metricsPort(spec) !== spec.port;
}
