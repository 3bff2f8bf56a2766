import type { PolicyRule, Port } from '../../../runtime/index.js';

/** Pods of one namespace. */
export interface PodShutdownQuestion {
  readonly namespace: string;
  /** At most 16 names. */
  readonly pods: readonly string[];
}

/** What a container does before it is stopped. */
export interface ContainerShutdown {
  readonly name: string;
  /** The ports that it declares. */
  readonly ports: readonly number[];
  /** Seconds for which its `preStop` hook sleeps. 0 without a hook. @default - the hook is no sleep */
  readonly sleep?: number;
}

/** How a Pod ends. */
export interface PodShutdown {
  readonly name: string;
  /** True if it does not exist. */
  readonly isMissing: boolean;
  /** Seconds. 0 for a missing Pod. */
  readonly gracePeriodSeconds: number;
  readonly containers: readonly ContainerShutdown[];
}

/** How Pods end. */
export interface PodShutdownAnswer {
  /** In the order of the question. */
  readonly pods: readonly PodShutdown[];
}

const rbacRules: readonly PolicyRule[] = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];

/** How Pods end. They are read by name, so that no Pod of the cluster is watched. */
export const podShutdown: Port<PodShutdownQuestion, PodShutdownAnswer> = {
  name: 'reconstruct/pod-shutdown',
  rbacRules,
};
