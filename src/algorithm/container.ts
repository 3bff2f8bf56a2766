import type { k8s } from 'cdk8s-plus-27';
import type { AlgorithmSpec } from '../../imports/index.js';
import type { Plain } from '../plain.js';
import { canonicalQuantity } from '../quantity.js';
import { present } from '../workload/present.js';
import { containerSecurityContext } from '../workload/security-context.js';
import { configFolder } from './config-map.js';
import { containerPorts } from './ports.js';

/** The server's container: no root, no capabilities, nothing to write to but /tmp. */
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

/** Without an empty value, which the API server does not store. */
function variable({ value, ...rest }: EnvVar): EnvVar {
  return value === '' || value === undefined ? rest : { ...rest, value };
}

function mounts(spec: AlgorithmSpec): Plain<k8s.VolumeMount>[] {
  const tmp = { name: 'tmp', mountPath: '/tmp' };
  return present(spec.config) ? [tmp, { name: 'config', mountPath: configFolder, readOnly: true }] : [tmp];
}

/** Five seconds, or half of a grace period that is shorter than ten. */
function secondsBeforeStop(gracePeriod: number): number {
  return Math.min(5, Math.ceil(gracePeriod / 2));
}

/**
 * A pod is told to stop at the moment when it begins to leave the Service, and gets requests until every proxy has
 * heard: a server that stops at once refuses those. The action asks for Kubernetes 1.30; running `sleep` would ask for
 * a shell in every image. It is newer than the types that `cdk8s-plus-27` has.
 */
function pause(seconds: number): Plain<k8s.LifecycleHandler> {
  const handler: Plain<k8s.LifecycleHandler> & { readonly sleep: { readonly seconds: number } } = {
    sleep: { seconds },
  };
  return handler;
}

type Probe = Plain<k8s.Probe>;

/** How the pods are watched: until the first success the startup probe alone, with all the time that a start may take. */
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
 * What a pod gets. Memory is limited to what is requested, so that nodes do not run out of it. CPU is not limited: a
 * limit slows a server down while the node's cores idle.
 */
function computeResources({
  cpu,
  memory,
  gpu,
  gpuCount = 1,
}: AlgorithmSpec['resources']): Plain<k8s.ResourceRequirements> {
  const limited = {
    memory: canonicalQuantity(memory),
    // Extended resources cannot be overcommitted: Kubernetes wants the same number on both sides.
    ...(gpu !== undefined && { [gpu]: canonicalQuantity(gpuCount) }),
  };
  return { requests: { cpu: canonicalQuantity(cpu), ...limited }, limits: limited };
}
