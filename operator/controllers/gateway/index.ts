import { gatewayKind, httpRouteKind } from '../../../imports/index.js';
import { gatewayClassName, type ProxyWorkload } from '../../../src/index.js';
import {
  ConfigMap,
  DaemonSet,
  Deployment,
  defineController,
  optional,
  PodDisruptionBudget,
  RoleBinding,
  Service,
  ServiceAccount,
} from '../../runtime/index.js';
import { desire } from './desire.js';

/**
 * Runs the proxies of Gateways of class `reconstruct`, in the namespace of the Gateway. It does not write the status of
 * the Gateway, because the proxies do.
 */
export const gateway = gatewayServedBy('Deployment');

/** Like {@link gateway}, with the kind of workload that runs the proxies. */
export function gatewayServedBy(workload: ProxyWorkload) {
  return defineController({
    kind: optional(gatewayKind),
    name: 'gateway',
    secondaryFor: ({ spec }) => spec.gatewayClassName === gatewayClassName,
    owns: [
      ServiceAccount,
      RoleBinding,
      optional(httpRouteKind),
      Service,
      ConfigMap,
      Deployment,
      DaemonSet,
      PodDisruptionBudget,
    ],
    conditions: {},
    statusFields: [],
    desire: (scope, facts) => desire(scope, facts, workload),
    assess: () => ({ conditions: {} }),
  });
}
