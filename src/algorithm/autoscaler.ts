import type { k8s } from 'cdk8s-plus-27';
import type { AlgorithmSpec } from '../../imports/index.js';
import type { ManifestOf } from '../manifest/plain.js';
import { metadataOf } from '../workload/identity.js';
import type { Blueprint } from './blueprint.js';

/**
 * Scales the Deployment by the CPU utilization of its Pods. It scales up at once, because users wait. It scales down
 * slowly, because a model that stops too early takes minutes to start again.
 */
export function autoscaler(
  blueprint: Blueprint,
  { minReplicas, maxReplicas, targetCpuPercent }: NonNullable<AlgorithmSpec['scaling']>,
): ManifestOf<k8s.KubeHorizontalPodAutoscalerV2Props> {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: metadataOf(blueprint),
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: blueprint.name },
      minReplicas,
      maxReplicas,
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: targetCpuPercent } },
        },
      ],
      behavior: {
        scaleUp: {
          stabilizationWindowSeconds: 0,
          selectPolicy: 'Max',
          policies: [
            { type: 'Percent', value: 100, periodSeconds: 15 },
            { type: 'Pods', value: 4, periodSeconds: 15 },
          ],
        },
        scaleDown: {
          stabilizationWindowSeconds: 300,
          selectPolicy: 'Max',
          policies: [{ type: 'Percent', value: 25, periodSeconds: 60 }],
        },
      },
    },
  };
}
