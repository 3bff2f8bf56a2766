import type { k8s } from 'cdk8s-plus-27';
import { defaultServerResources } from '../../crds/index.js';
import type { AlgorithmSpec } from '../../imports/index.js';
import type { Plain } from '../manifest/plain.js';
import { canonicalQuantity } from '../manifest/quantity.js';
import { present } from '../workload/present.js';
import { containerResources } from '../workload/resources.js';
import { containerSecurityContext } from '../workload/security-context.js';
import { configFolder } from './config-map.js';
import { containerPorts } from './ports.js';

/** The name of the container of the server. */
export const serverContainer = 'algorithm';

/** The container of the server. It does not run as root, has no capabilities, and can write only to /tmp. */
export function container(spec: AlgorithmSpec): Plain<k8s.Container> {
  return {
    name: serverContainer,
    image: spec.image,
    command: present(spec.command),
    args: present(spec.args),
    ports: containerPorts(spec),
    resources: computeResources(spec.resources),
    ...probesOf(spec.probes),
    lifecycle: { preStop: pause(secondsBeforeStop(spec.terminationGracePeriodSeconds)) },
    securityContext: containerSecurityContext,
    volumeMounts: mounts(spec),
  };
}

function mounts(spec: AlgorithmSpec): Plain<k8s.VolumeMount>[] {
  const tmp = { name: 'tmp', mountPath: '/tmp' };
  return present(spec.config) ? [tmp, { name: 'config', mountPath: configFolder, readOnly: true }] : [tmp];
}

/** Five seconds, or half of a grace period of less than ten seconds. */
function secondsBeforeStop(gracePeriod: number): number {
  return Math.min(5, Math.ceil(gracePeriod / 2));
}

/**
 * Delays the stop of a Pod. A Pod still gets requests until every proxy has removed it from the Service, and a server
 * that stops at once would refuse them. The sleep action requires Kubernetes 1.30. A `sleep` command would require a
 * shell in every image. The action is newer than the types of `cdk8s-plus-27`.
 */
function pause(seconds: number): Plain<k8s.LifecycleHandler> {
  const handler: Plain<k8s.LifecycleHandler> & { readonly sleep: { readonly seconds: number } } = {
    sleep: { seconds },
  };
  return handler;
}

type Probe = Plain<k8s.Probe>;

/** The probes of the Pods. Until its first success, only the startup probe runs, with the whole time for a start. */
function probesOf({
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

/** Extended resources cannot be overcommitted: Kubernetes requires the same number as request and limit. */
function computeResources({
  gpu,
  gpuCount = 1,
  ...stated
}: AlgorithmSpec['resources']): Plain<k8s.ResourceRequirements> {
  const { requests, limits } = containerResources(stated, defaultServerResources);
  if (gpu === undefined) return { requests, limits };
  const devices = { [gpu]: canonicalQuantity(gpuCount) };
  return { requests: { ...requests, ...devices }, limits: { ...limits, ...devices } };
}
