import type { KindPods } from '../images/pod-defaults.js';
import type { ControllerOptions } from '../options/controller-options.js';
import type { Controller } from '../runtime/index.js';

/** A kind, or a few that belong together, with everything that a person needs to run them. */
export interface System {
  /**
   * Also the name of the folders of the system, such as `docs/kinds/<name>` and `test/e2e/<name>`: a lower-case label.
   */
  readonly name: string;
  /** In the order in which they start. */
  readonly controllers: readonly Controller[];
  /** Options of the operator, in the order of `--help`. Configuration and documentation follow from them. */
  readonly options: readonly ControllerOptions<object, never>[];
  /** The kinds whose controllers create Pods or Jobs, so that a registry and pull secrets reach them. */
  readonly pods: readonly KindPods[];
}
