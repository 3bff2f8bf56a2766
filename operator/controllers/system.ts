import type { Controller } from '../runtime/index.js';

/** A kind, or a few that belong together, with everything that a person needs to run them. */
export interface System {
  /**
   * Also the name of the folders of the system, such as `docs/kinds/<name>` and `test/e2e/<name>`: a lower-case label.
   */
  readonly name: string;
  /** In the order in which they start. */
  readonly controllers: readonly Controller[];
}
