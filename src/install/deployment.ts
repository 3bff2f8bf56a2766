import type { k8s } from 'cdk8s-plus-27';
import type { ManifestOf, Plain } from '../plain.js';
import { metadataOf } from '../workload/identity.js';
import { present } from '../workload/present.js';
import { restrictedContainer, restrictedPod } from '../workload/restricted.js';
import { scraping } from '../workload/scraping.js';
import { spread } from '../workload/spread.js';
import { type Installation, operatorPorts } from './installation.js';
import type { OperatorPods } from './pods.js';

/** Runs the operator: one replica works, the others stand by with everything read already. */
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
        metadata: { labels, annotations: scraping({ path: '/metrics', port: operatorPorts.metrics }) },
        spec: podSpec(installation, pods),
      },
    },
  };
}

function podSpec(installation: Installation, pods: OperatorPods): Plain<k8s.PodSpec> {
  return {
    automountServiceAccountToken: true,
    containers: [container(pods)],
    enableServiceLinks: false,
    imagePullSecrets: present(pods.imagePullSecrets.map((name) => ({ name }))),
    nodeSelector: present(pods.nodeSelector),
    priorityClassName: pods.priorityClassName,
    securityContext: restrictedPod,
    serviceAccountName: installation.name,
    // Longer than the operator takes to finish the passes that run, 30 seconds at most.
    terminationGracePeriodSeconds: 45,
    tolerations: present(pods.tolerations),
    topologySpreadConstraints: [spread(installation, 'zone'), spread(installation, 'node')],
  };
}

function container({ image, imagePullPolicy, args, env, resources }: OperatorPods): Plain<k8s.Container> {
  return {
    name: 'operator',
    image,
    imagePullPolicy,
    args,
    env: present(Object.entries(env).map(([name, value]) => (value === '' ? { name } : { name, value }))),
    ports: [
      { name: 'metrics', containerPort: operatorPorts.metrics, protocol: 'TCP' },
      { name: 'health', containerPort: operatorPorts.health, protocol: 'TCP' },
    ],
    livenessProbe: { httpGet: { path: '/healthz', port: 'health' }, initialDelaySeconds: 10, periodSeconds: 10 },
    readinessProbe: { httpGet: { path: '/readyz', port: 'health' }, periodSeconds: 5 },
    resources,
    securityContext: restrictedContainer,
  };
}
