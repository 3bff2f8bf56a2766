import { sparkDriverRules } from '../../../../src/index.js';
import type { Port } from '../../../runtime/index.js';

/** An executor. */
export interface Leftover {
  readonly name: string;
  readonly uid: string;
}

/** Asks which of these executors exist. */
export interface LeftoversQuestion {
  readonly namespace: string;
  readonly executors: readonly Leftover[];
}

/** The UIDs of the executors that exist, those that terminate included. */
export interface LeftoversAnswer {
  readonly left: readonly string[];
}

/**
 * Deletes executors that a driver left: their owner is the Pod of the driver, which stays for its log. Each has its
 * UID as a precondition.
 */
export interface LeftoversRequest extends LeftoversQuestion {}

/** Executors of attempts that have ended. */
export const sparkLeftovers: Port<LeftoversQuestion, LeftoversAnswer, LeftoversRequest> = {
  name: 'reconstruct/spark-leftovers',
  rbacRules: [
    { apiGroups: [''], resources: ['pods'], verbs: ['get', 'delete'] },
    // The operator can give drivers only permissions that it has itself.
    ...sparkDriverRules,
  ],
  visibleWithin: 0,
};
