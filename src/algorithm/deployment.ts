import type { k8s } from 'cdk8s-plus-27';
import type { ManifestOf } from '../plain.js';
import { metadataOf } from '../workload/identity.js';
import type { Blueprint } from './blueprint.js';
import { podTemplate } from './pod.js';

/** Seconds for what comes before a server's start: finding a node, pulling an image of several gigabytes. */
const secondsBeforeStart = 300;

/** Runs the pods, and replaces them one after the other without ever going below their number. */
export function deployment(blueprint: Blueprint): ManifestOf<k8s.KubeDeploymentProps> {
  const { labels, spec } = blueprint;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadataOf(blueprint),
    spec: {
      // With scaling the number is the autoscaler's, which would lose against whoever writes it here.
      replicas: spec.scaling ? undefined : spec.replicas,
      selector: { matchLabels: labels },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: '25%' } },
      progressDeadlineSeconds: spec.probes.startupSeconds + secondsBeforeStart,
      template: podTemplate(blueprint),
    },
  };
}
