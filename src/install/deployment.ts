import type { k8s } from 'cdk8s-plus-27';
import { leaderAudience, leaderFolders } from '../leader/names.js';
import type { ManifestOf, Plain } from '../manifest/plain.js';
import { metadataOf } from '../workload/identity.js';
import { podVolume } from '../workload/pod-volume.js';
import { present } from '../workload/present.js';
import { scrapeAnnotations } from '../workload/scrape-annotations.js';
import { containerSecurityContext, podSecurityContext } from '../workload/security-context.js';
import { topologySpread } from '../workload/topology-spread.js';
import { type Installation, operatorPorts } from './installation.js';
import { launcherToken, metricsTls, metricsTlsFolder, type OperatorPods } from './pods.js';

const metricsMount = { name: metricsTls, mountPath: metricsTlsFolder, readOnly: true };
const tokenMount = { name: launcherToken, mountPath: leaderFolders.token, readOnly: true };
/** The kubelet replaces the token. Launchers accept it, and the API server does not. */
const tokenVolume = {
  name: launcherToken,
  projected: {
    sources: [{ serviceAccountToken: { path: 'token', audience: leaderAudience, expirationSeconds: 3600 } }],
  },
};

/** Runs the operator. One replica leads, and the others stand by with filled caches. */
export function operatorDeployment(
  installation: Installation,
  pods: OperatorPods,
): ManifestOf<k8s.KubeDeploymentProps> {
  const { labels } = installation;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadataOf(installation),
    spec: {
      replicas: pods.replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels: { ...pods.labels, ...labels }, annotations: annotations(pods) },
        spec: podSpec(installation, pods),
      },
    },
  };
}

/** Protected metrics are not announced: a client that finds the metrics by annotations has no token. */
function annotations({ annotations, metricsTlsSecret }: OperatorPods): Readonly<Record<string, string>> | undefined {
  if (metricsTlsSecret !== undefined) return present(annotations);
  return { ...scrapeAnnotations({ path: '/metrics', port: operatorPorts.metrics }), ...annotations };
}

function podSpec(installation: Installation, pods: OperatorPods): Plain<k8s.PodSpec> {
  const secrets = pods.metricsTlsSecret === undefined ? [] : [pods.metricsTlsSecret];
  const ofMetrics = secrets.map((secretName) => ({ name: metricsTls, secret: { secretName } }));
  return {
    affinity: present(pods.affinity),
    automountServiceAccountToken: true,
    containers: [container(pods)],
    enableServiceLinks: false,
    imagePullSecrets: present(pods.imagePullSecrets.map((name) => ({ name }))),
    nodeSelector: present(pods.nodeSelector),
    priorityClassName: pods.priorityClassName,
    securityContext: podSecurityContext,
    serviceAccountName: installation.name,
    // More than the 30 seconds that the operator takes at most to finish the running reconciles.
    terminationGracePeriodSeconds: 45,
    tolerations: present(pods.tolerations),
    topologySpreadConstraints: [topologySpread(installation, 'zone'), topologySpread(installation, 'node')],
    volumes: present([...ofMetrics, ...(pods.asksLaunchers ? [tokenVolume] : []), ...pods.volumes.map(podVolume)]),
  };
}

const health = { path: '/healthz', port: 'health' };

/**
 * A restart helps only a process that is stuck. On an overloaded machine it makes things worse: each start costs more than
 * the work that it interrupts. So a start may take ten minutes, and three minutes must pass without an answer in time.
 */
const probes = {
  startupProbe: { httpGet: health, periodSeconds: 5, timeoutSeconds: 15, failureThreshold: 120 },
  livenessProbe: { httpGet: health, periodSeconds: 20, timeoutSeconds: 15, failureThreshold: 9 },
  readinessProbe: { httpGet: { path: '/readyz', port: 'health' }, periodSeconds: 5, timeoutSeconds: 5 },
} as const;

/** The routes of HTTP-01 challenges lead to the Pod that leads. */
const podIp = { name: 'RECONSTRUCT_POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } } as const;

function container({
  image,
  imagePullPolicy,
  args,
  env,
  resources,
  metricsTlsSecret,
  answersChallenges,
  asksLaunchers,
  volumeMounts,
}: OperatorPods): Plain<k8s.Container> {
  const variables = Object.entries(env).map(([name, value]) => (value === '' ? { name } : { name, value }));
  return {
    name: 'operator',
    image,
    imagePullPolicy,
    args,
    env: present([...(answersChallenges ? [podIp] : []), ...variables]),
    ports: [
      { name: 'metrics', containerPort: operatorPorts.metrics, protocol: 'TCP' },
      { name: 'health', containerPort: operatorPorts.health, protocol: 'TCP' },
      ...(answersChallenges ? [{ name: 'acme', containerPort: operatorPorts.acme, protocol: 'TCP' }] : []),
    ],
    ...probes,
    resources,
    securityContext: containerSecurityContext,
    volumeMounts: present([
      ...(metricsTlsSecret === undefined ? [] : [metricsMount]),
      ...(asksLaunchers ? [tokenMount] : []),
      ...volumeMounts,
    ]),
  };
}
