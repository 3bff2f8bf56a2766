import type { Controller } from '../runtime/index.js';
import type { DeclaredOptions } from './option.js';

/** Where an operator runs. */
export interface OperatorPlace {
  /** The namespace of the operator. */
  readonly namespace: string;
}

/** The same controllers, as options of the operator ask for. Controllers that the options do not concern stay as they are. */
export type Configure<Needed> = (
  controllers: readonly Controller[],
  options: Needed,
  place: OperatorPlace,
) => readonly Controller[];

/** Options of the operator that concern some controllers, and what follows from them. */
export interface ControllerOptions<Own, Needed> {
  readonly declared: DeclaredOptions<Own>;
  readonly configured: Configure<Needed>;
}

/**
 * Declares options beside the controllers that they concern.
 * @param declared options by their names. An option that several folders need is declared in one of them
 * @param configured what follows from these and other options. @default - nothing here
 */
export function controllerOptions<Own, Needed = object>(
  declared: DeclaredOptions<Own>,
  configured: Configure<Needed> = (controllers) => controllers,
): ControllerOptions<Own, Needed> {
  return { declared, configured };
}
