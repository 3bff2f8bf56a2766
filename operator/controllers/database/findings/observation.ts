import type { DatabaseResource } from '../../../../imports/index.js';
import type { PasswordMarks } from '../../../../src/index.js';
import { conditionOf, type LivePersistentVolumeClaim, type Mark } from '../../../runtime/index.js';
import type { conditions } from '../conditions.js';
import type { Step } from '../plan/index.js';
import type { Situation } from '../situation.js';

/** Input of the functions that derive conditions. */
export interface Observation {
  readonly situation: Situation;
  /** The current step, and the steps that wait. */
  readonly steps: readonly Step[];
  readonly resource: DatabaseResource;
  readonly claims: readonly LivePersistentVolumeClaim[];
  /** The operator has permission to read Nodes. */
  readonly seesNodes: boolean;
  /** The passwords of the Secrets. Undefined while a Secret is incomplete. */
  readonly marks?: PasswordMarks | undefined;
  /** Reason that the primary gives for not restarting in place. @default - it has not refused */
  readonly refused?: string | undefined;
  /** Why an object of the Database cannot be written. */
  readonly blocker?: string | undefined;
}

/** The reason and message of a condition. */
export type ConditionMark<Type extends keyof typeof conditions> = Mark<
  Extract<keyof (typeof conditions)[Type], string>
>;

/**
 * True if the condition is absent from the status or `Initializing`: it has never been True, so there is no loss to
 * warn about.
 */
export function hasOnlyBegun({ resource }: Pick<Observation, 'resource'>, type: 'Available' | 'Replicated'): boolean {
  const before = conditionOf<typeof conditions>(resource, type);
  return before === undefined || before.reason === ('Initializing' satisfies ConditionMark<typeof type>['reason']);
}
