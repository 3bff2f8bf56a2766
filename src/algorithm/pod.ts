import type { k8s } from 'cdk8s-plus-27';
import type { Plain } from '../plain.js';
import { podPlacement } from '../workload/placement.js';
import { present } from '../workload/present.js';
import { scrapeAnnotations } from '../workload/scrape-annotations.js';
import { podSecurityContext } from '../workload/security-context.js';
import { topologySpread } from '../workload/topology-spread.js';
import type { Blueprint } from './blueprint.js';
import { configHash } from './config-map.js';
import { container } from './container.js';
import { metricsPort } from './ports.js';

/** The pods of an Algorithm: those that the Pod Security level "restricted" admits, spread over zones. */
export function podTemplate(blueprint: Blueprint): Plain<k8s.PodTemplateSpec> {
  const { labels, spec } = blueprint;
  return {
    metadata: { labels, annotations: present(annotations(blueprint)) },
    spec: {
      automountServiceAccountToken: false,
      containers: [container(spec)],
      // The variables that Kubernetes makes for each Service of the namespace clash with a server's own, as RECO_PORT.
      enableServiceLinks: false,
      ...podPlacement(spec),
      securityContext: { ...podSecurityContext, runAsUser: spec.runAsUser },
      serviceAccountName: spec.serviceAccountName,
      terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds,
      topologySpreadConstraints: [topologySpread(blueprint, 'zone')],
      volumes: volumes(blueprint),
    },
  };
}

function annotations(blueprint: Blueprint): Record<string, string> {
  const { metrics } = blueprint.spec;
  const hash = configHash(blueprint);
  return {
    // New pods for a new configuration: running servers do not read their files again.
    ...(hash && { 'ai.alien6.io/config-hash': hash }),
    ...(metrics && scrapeAnnotations({ path: metrics.path, port: metricsPort(blueprint.spec) })),
  };
}

function volumes({ name, spec }: Blueprint): Plain<k8s.Volume>[] {
  const tmp = { name: 'tmp', emptyDir: {} };
  return present(spec.config) ? [tmp, { name: 'config', configMap: { name } }] : [tmp];
}
