import type { Port } from '../../../runtime/index.js';

/** Pods that are on their way. */
export interface StartingPodsQuestion {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** What keeps them. */
export interface StartingPodsAnswer {
  /** For people: `its container ends with code 1`. Of several reasons that of most pods; empty where nothing is seen. */
  readonly why: string;
}

/** Where it is known why pods are not ready: their Deployment says only how many are. */
export const startingPods: Port<StartingPodsQuestion, StartingPodsAnswer> = {
  name: 'starting pods',
  rights: [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }],
};
