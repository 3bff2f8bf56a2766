import { gatewayKind, httpRouteKind } from '../../../imports/index.js';
import { gatewayClassName } from '../../../src/index.js';
import {
  ConfigMap,
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
export const gateway = defineController({
  kind: optional(gatewayKind),
  name: 'gateway',
  concerns: ({ spec }) => spec.gatewayClassName === gatewayClassName,
  owns: [ServiceAccount, RoleBinding, optional(httpRouteKind), Service, ConfigMap, Deployment, PodDisruptionBudget],
  conditions: {},
  states: [],
  desire,
  assess: () => ({ conditions: {} }),
});
