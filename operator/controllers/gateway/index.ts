import { gatewayKind, httpRouteKind } from '../../../imports/index.js';
import { gatewayClassName, requestProblems } from '../../../src/index.js';
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
import { desire, type ProxySettings } from './desire.js';

/**
 * Runs the proxies of Gateways of class `reconstruct`, in the namespace of the Gateway. It does not write the status of
 * the Gateway, because the proxies do.
 */
export const gateway = gatewayServedBy({ workload: 'Deployment' });

/**
 * Like {@link gateway}, with other settings of the proxies.
 * @throws {Error} if a request is above its limit
 */
export function gatewayServedBy(settings: ProxySettings) {
  const problems = requestProblems('proxy', settings.resources);
  if (problems.length > 0) throw new Error(problems.join('\n'));
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
    desire: (scope, facts) => desire(scope, facts, settings),
    assess: () => ({ conditions: {} }),
  });
}
