import type { DatabaseResource } from '../../../../imports/index.js';
import type { LivePersistentVolumeClaim, Mark } from '../../../runtime/index.js';
import type { conditions } from '../conditions.js';
import type { Concern, Situation, Step } from '../plan/index.js';

/** What is judged. */
export interface Observation {
  readonly situation: Situation;
  /** What is done and waited for. */
  readonly steps: readonly Step[];
  readonly resource: DatabaseResource;
  readonly claims: readonly LivePersistentVolumeClaim[];
  /** The operator may look at Nodes. */
  readonly seesNodes: boolean;
  /** Why the primary does not restart in place, in its words. @default - it has not refused */
  readonly refused?: string | undefined;
}

/** What is said of a condition. */
export type ConditionMark<Type extends keyof typeof conditions> = Mark<
  Extract<keyof (typeof conditions)[Type], string>
>;

/**
 * What the status has of a condition: while that is nothing, or that it begins, it has never been well, and nothing is
 * lost yet that anybody could be warned of.
 */
export function hasOnlyBegun({ resource }: Pick<Observation, 'resource'>, type: 'Available' | 'Replicated'): boolean {
  const before = resource.status?.conditions?.find((condition) => condition.type === type);
  return before === undefined || before.reason === ('Initializing' satisfies ConditionMark<typeof type>['reason']);
}

/** The step that is about something. */
export function stepOf({ steps }: Pick<Observation, 'steps'>, concern: Concern): Step | undefined {
  return steps.find((step) => step.concern === concern);
}
