import type { Controller } from '../../../runtime/controller/controller.js';
import type { Trials } from './trials.js';

/** One guarantee of every controller. */
export interface ControllerCheck {
  readonly name: string;
  /** @default - every controller */
  readonly concerns?: (controller: Controller) => boolean;
  /** @throws {Error} if the guarantee does not hold */
  readonly holds: (trials: Trials) => Promise<void>;
}
