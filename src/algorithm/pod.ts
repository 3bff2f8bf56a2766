import type { k8s } from 'cdk8s-plus-27';
import type { Plain } from '../manifest/plain.js';
import { withPodTemplate } from '../workload/pod-template.js';
import { present } from '../workload/present.js';
import { scrapeAnnotations } from '../workload/scrape-annotations.js';
import { podSecurityContext } from '../workload/security-context.js';
import { topologySpread } from '../workload/topology-spread.js';
import type { Blueprint } from './blueprint.js';
import { configHash } from './config-map.js';
import { container, serverContainer } from './container.js';
import { metricsPort } from './ports.js';

/** The Pods of an Algorithm, spread over zones. The Pod Security level "restricted" admits them. */
export function podTemplate(blueprint: Blueprint): Plain<k8s.PodTemplateSpec> {
  const { labels, spec } = blueprint;
  const spread = topologySpread(blueprint, 'zone');
  const pod = {
    metadata: { labels, annotations: present(annotations(blueprint)) },
    spec: {
      automountServiceAccountToken: false,
      containers: [container(spec)],
      // Kubernetes adds variables such as RECO_PORT for each Service of the namespace. They can clash with those of a
      // server.
      enableServiceLinks: false,
      securityContext: podSecurityContext,
      terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds,
      topologySpreadConstraints: [spread],
      volumes: volumes(blueprint),
    },
  };
  return withPodTemplate(pod, spec.podTemplate, { container: serverContainer, spread: { mode: 'Replace', ...spread } });
}

function annotations(blueprint: Blueprint): Record<string, string> {
  const { metrics } = blueprint.spec;
  const hash = configHash(blueprint);
  return {
    // A new configuration needs new Pods, because running servers do not read their files again.
    ...(hash && { 'ai.alien6.io/config-hash': hash }),
    ...(metrics && scrapeAnnotations({ path: metrics.path, port: metricsPort(blueprint.spec) })),
  };
}

function volumes({ name, spec }: Blueprint): Plain<k8s.Volume>[] {
  const tmp = { name: 'tmp', emptyDir: {} };
  return present(spec.config) ? [tmp, { name: 'config', configMap: { name } }] : [tmp];
}
