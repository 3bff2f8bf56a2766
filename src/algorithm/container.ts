import type { k8s } from 'cdk8s-plus-27';
import type { AlgorithmSpec } from '../../imports/index.js';
import type { Plain } from '../plain.js';
import { canonicalQuantity } from '../quantity.js';
import { present } from '../workload/present.js';
import { containerSecurityContext } from '../workload/security-context.js';
import { configFolder } from './config-map.js';
import { containerPorts } from './ports.js';

/** The container of the server. It does not run as root, has no capabilities, and can write only to /tmp. */
export function container(spec: AlgorithmSpec): Plain<k8s.Container> {
  return {
    name: 'algorithm',
    image: spec.image,
    command: present(spec.command),
    args: present(spec.args),
    env: present(spec.env?.map(variable)),
    ports: containerPorts(spec),
    resources: computeResources(spec.resources),
    ...probesOf(spec.probes),
    lifecycle: { preStop: pause(secondsBeforeStop(spec.terminationGracePeriodSeconds)) },
    securityContext: containerSecurityContext,
    volumeMounts: mounts(spec),
  };
}

type EnvVar = Plain<k8s.EnvVar>;

/** Removes an empty value, which the API server does not store. */
function variable({ value, ...rest }: EnvVar): EnvVar {
  return value === '' || value === undefined ? rest : { ...rest, value };
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

/**
 * The resources of a Pod. The memory limit equals the request, so that nodes do not run out of memory. There is no CPU
 * limit, because a limit slows down a server while cores of the node are idle.
 */
function computeResources({
  cpu,
  memory,
  gpu,
  gpuCount = 1,
}: AlgorithmSpec['resources']): Plain<k8s.ResourceRequirements> {
  const limited = {
    memory: canonicalQuantity(memory),
    // Extended resources cannot be overcommitted: Kubernetes requires the same number as request and limit.
    ...(gpu !== undefined && { [gpu]: canonicalQuantity(gpuCount) }),
  };
  return { requests: { cpu: canonicalQuantity(cpu), ...limited }, limits: limited };
}
