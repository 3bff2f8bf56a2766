import { ConfigMap, Deployment, HorizontalPodAutoscaler, PodDisruptionBudget, Service } from '../../operator/index.js';

/** The kinds that an Algorithm becomes. */
export const childKinds = [ConfigMap, Service, Deployment, PodDisruptionBudget, HorizontalPodAutoscaler] as const;
