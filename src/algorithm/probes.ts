import type { k8s } from 'cdk8s-plus-27';
import type { AlgorithmSpec } from '../../imports/index.js';
import type { Plain } from '../plain.js';

type Probe = Plain<k8s.Probe>;

/** How the pods are watched: until the first success the startup probe alone, with all the time that a start may take. */
export function probesOf({
  path,
  startupSeconds,
  periodSeconds,
  timeoutSeconds,
  failureThreshold,
}: AlgorithmSpec['probes']): Record<'startupProbe' | 'readinessProbe' | 'livenessProbe', Probe> {
  const action: Probe = path === undefined ? { tcpSocket: { port: 'http' } } : { httpGet: { path, port: 'http' } };
  const probe: Probe = { ...action, periodSeconds, timeoutSeconds, failureThreshold };
  return {
    startupProbe: { ...probe, failureThreshold: Math.ceil(startupSeconds / periodSeconds) },
    readinessProbe: probe,
    livenessProbe: probe,
  };
}
