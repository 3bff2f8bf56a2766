import type { SimulatedProcess } from '../environment/process.js';
import type { Scene } from '../environment/scene.js';
import type { Effect, SimulatedRequest } from '../environment/server.js';

/** What holds at every moment of a run, whatever goes wrong. */
export interface Invariant {
  /** The rest of a sentence that begins with "the operator". */
  readonly promise: string;
  /** Looks at a write as it leaves its process. @returns what is wrong */
  readonly onLeave?: (request: SimulatedRequest, process: SimulatedProcess) => string | undefined;
  /** Looks at what somebody changed. @returns what is wrong */
  readonly onEffect?: (effect: Effect) => string | undefined;
}

/** An invariant, with a memory of its own for one run. */
export type InvariantOf = (scene: Scene) => Invariant;
