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
 * Runs the proxies of Gateways of class `reconstruct`, in the Gateway's own namespace. Of the Gateway itself it says
 * nothing: its status is the proxies' to write.
 */
export const gateway = gatewayServedBy('Deployment');

/** The same, whose proxies are run by what is stated. */
export function gatewayServedBy(workload: ProxyWorkload) {
  return defineController({
    kind: optional(gatewayKind),
    name: 'gateway',
    filter: ({ spec }) => spec.gatewayClassName === gatewayClassName,
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
