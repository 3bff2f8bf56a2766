import { httpRouteKind } from '../../../imports/index.js';
import {
  ConfigMap,
  DaemonSet,
  Deployment,
  optional,
  PodDisruptionBudget,
  RoleBinding,
  Service,
  ServiceAccount,
} from '../../runtime/index.js';

/** Kinds that a Gateway owns. */
export const owns = [
  ServiceAccount,
  RoleBinding,
  optional(httpRouteKind),
  Service,
  ConfigMap,
  Deployment,
  DaemonSet,
  PodDisruptionBudget,
] as const;
