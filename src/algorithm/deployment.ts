import type { k8s } from 'cdk8s-plus-27';
import type { ManifestOf } from '../manifest/plain.js';
import { imageVersion, metadataOf } from '../workload/identity.js';
import type { Blueprint } from './blueprint.js';
import { podTemplate } from './pod.js';

/** Seconds for the steps before the start of a server, such as scheduling and pulling an image of several gigabytes. */
const secondsBeforeStart = 300;

/** Runs the Pods. A rollout never goes below the desired number of Pods. */
export function deployment(blueprint: Blueprint): ManifestOf<k8s.KubeDeploymentProps> {
  const { labels, spec } = blueprint;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    // Only here: the tag changes with the image, and the other objects do not.
    metadata: metadataOf({ ...blueprint, version: imageVersion(spec.image) }),
    spec: {
      // With scaling, the autoscaler owns this field. A value here would override the autoscaler.
      replicas: spec.scaling ? undefined : spec.replicas,
      selector: { matchLabels: labels },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: '25%' } },
      progressDeadlineSeconds: spec.probes.startupSeconds + secondsBeforeStart,
      template: podTemplate(blueprint),
    },
  };
}
