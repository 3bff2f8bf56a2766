import {
  ConfigMap,
  ControllerRevision,
  Deployment,
  HorizontalPodAutoscaler,
  PodDisruptionBudget,
  Service,
} from '../../runtime/index.js';
import { type HostReads, hostReads } from './hosts/declarations.js';

/** The kinds of the objects of an Algorithm. */
export const owns = [ConfigMap, Service, Deployment, PodDisruptionBudget, HorizontalPodAutoscaler] as const;

/** The objects of the `trial` controller that an Algorithm reads: its versions. */
export const watchesSiblings = [ControllerRevision] as const;

/** The claims on the host. */
export const reads = hostReads;

/** The objects that `reads` finds. */
export type AlgorithmReads = HostReads;
