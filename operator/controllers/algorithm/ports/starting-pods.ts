import type { Port } from '../../../runtime/index.js';

/** The Pods to check. */
export interface StartingPodsQuestion {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Generation of the Deployment of the Pods. Another one discards the answers. @default - the labels suffice */
  readonly generation?: number;
}

/** The cause why Pods are not ready. */
export interface StartingPodsAnswer {
  /** For users: `the container exits with code 1`. The most frequent cause; empty if none is known. */
  readonly why: string;
}

/** Port to the causes why Pods are not ready. The status of a Deployment contains only their number. */
export const startingPods: Port<StartingPodsQuestion, StartingPodsAnswer> = {
  name: 'reconstruct/starting-pods',
  rbacRules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }],
};
