import { withPodTemplate } from '../../workload/pod-template.js';
import { containerSecurityContext } from '../../workload/security-context.js';
import type { SparkAttempt } from '../config/properties.js';
import { sparkContainers, sparkLabels, sparkObjectNames, sparkRoleLabel, sparkSelector } from '../naming/identity.js';
import { sparkAuthVariable, sparkHome, sparkMounts, sparkPodUser, sparkVolumes } from './pod-parts.js';

/**
 * The template of executors, which the driver reads. It adds the name, the image, the resources, the arguments, its own labels
 * and volumes, and the owner.
 */
export function executorTemplate({ name, spec }: SparkAttempt): object {
  const labelSelector = { matchLabels: sparkSelector(name, 'executor') };
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { labels: { ...sparkLabels(name), [sparkRoleLabel]: 'executor' } },
    spec: {
      // Executors need no rights.
      automountServiceAccountToken: false,
      containers: [
        {
          name: sparkContainers.executor,
          env: [sparkHome, sparkAuthVariable(name)],
          securityContext: containerSecurityContext,
          volumeMounts: sparkMounts,
          terminationMessagePolicy: 'FallbackToLogsOnError',
        },
      ],
      enableServiceLinks: false,
      securityContext: sparkPodUser,
      serviceAccountName: sparkObjectNames(name).own,
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway', labelSelector },
      ],
      volumes: sparkVolumes,
    },
  };
  return withPodTemplate(pod, spec.executors.podTemplate, {
    container: sparkContainers.executor,
    spread: { mode: 'Replace', labelSelector },
  });
}
