import type { DatabaseResource } from '../../../../imports/index.js';
import type { LivePersistentVolumeClaim, Mark } from '../../../runtime/index.js';
import type { conditions } from '../conditions.js';
import type { Concern, Situation, Step } from '../plan/index.js';

/** What is judged. */
export interface Seen {
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
export type Said<Type extends keyof typeof conditions> = Mark<Extract<keyof (typeof conditions)[Type], string>>;

/** The step that is about something. */
export function stepOf({ steps }: Pick<Seen, 'steps'>, concern: Concern): Step | undefined {
  return steps.find((step) => step.concern === concern);
}
