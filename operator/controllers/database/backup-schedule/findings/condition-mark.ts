import type { Mark } from '../../../../runtime/index.js';
import type { conditions } from '../conditions.js';

/** The reason and message of a condition. */
export type ConditionMark<Type extends keyof typeof conditions> = Mark<
  Extract<keyof (typeof conditions)[Type], string>
>;
