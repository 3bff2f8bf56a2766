import type { k8s } from 'cdk8s-plus-27';
import { defaultProxyResources } from '../../crds/index.js';
import type { Plain } from '../manifest/plain.js';
import type { Identity } from '../workload/identity.js';
import { containerResources, type StatedResources } from '../workload/resources.js';
import { scrapeAnnotations } from '../workload/scrape-annotations.js';
import { containerSecurityContext, podSecurityContext } from '../workload/security-context.js';
import { acceptSeconds, finishSeconds, proxyArguments } from './arguments.js';
import { configFile } from './config-map.js';
import { gatewayPorts } from './identity.js';
import { readyHost } from './ready-route.js';

/** The user of the proxies. Their image names no user, so they would run as root. */
const user = 65_532;

/** The identity of proxies, with their namespace. */
export type ProxyIdentity = Identity & { readonly namespace: string };

/** The settings of the container of a proxy. */
export interface ProxyContainer {
  readonly image: string;
  readonly resources: StatedResources | undefined;
}

/** The Pod template of a proxy, for the Deployment and for the DaemonSet. */
export function proxyPod(
  { name, namespace, labels }: ProxyIdentity,
  { image, resources }: ProxyContainer,
): Plain<k8s.PodTemplateSpec> & { readonly spec: Plain<k8s.PodSpec> } {
  return {
    metadata: { labels, annotations: scrapeAnnotations({ path: '/metrics', port: gatewayPorts.metrics }) },
    spec: {
      automountServiceAccountToken: true,
      containers: [container(namespace, { image, resources })],
      enableServiceLinks: false,
      securityContext: { ...podSecurityContext, runAsUser: user, runAsGroup: user },
      serviceAccountName: name,
      terminationGracePeriodSeconds: acceptSeconds + finishSeconds + 5,
      volumes: [{ name: 'config', configMap: { name } }],
    },
  };
}

function container(namespace: string, { image, resources }: ProxyContainer): Plain<k8s.Container> {
  const ping = { path: '/ping', port: 'metrics' };
  return {
    name: 'traefik',
    image,
    args: proxyArguments(namespace),
    ports: [
      { name: 'http', containerPort: gatewayPorts.http, protocol: 'TCP' },
      { name: 'metrics', containerPort: gatewayPorts.metrics, protocol: 'TCP' },
    ],
    // Only at startup: a proxy that lost the API server later still has its routes.
    startupProbe: {
      httpGet: { path: '/ping', port: 'http', httpHeaders: [{ name: 'Host', value: readyHost }] },
      periodSeconds: 1,
      failureThreshold: 300,
    },
    readinessProbe: { httpGet: ping, periodSeconds: 2, timeoutSeconds: 2, failureThreshold: 2 },
    // Three minutes: a restart on an overloaded machine ends connections, and the start costs more than it helps.
    livenessProbe: { httpGet: ping, periodSeconds: 20, timeoutSeconds: 15, failureThreshold: 9 },
    resources: containerResources(resources, defaultProxyResources),
    securityContext: containerSecurityContext,
    volumeMounts: [{ name: 'config', mountPath: configFile.folder, readOnly: true }],
  };
}
