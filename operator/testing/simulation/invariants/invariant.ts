import type { MemoryPort, PerformedRequest } from '../../contract/trial/memory-port.js';
import type { SimulatedProcess } from '../environment/process.js';
import type { Scene } from '../environment/scene.js';
import type { Effect, SimulatedRequest } from '../environment/server.js';

/** A condition that holds at all times of a run, despite all faults. */
export interface Invariant {
  /** The promise as the rest of a sentence that starts with "the operator". */
  readonly promise: string;
  /** Checks a request when its process sends it. @returns the violation, if any */
  readonly onLeave?: (request: SimulatedRequest, process: SimulatedProcess) => string | undefined;
  /** Checks an external call when its process sends it. @returns the violation, if any */
  readonly onCall?: (process: SimulatedProcess) => string | undefined;
  /** Checks a call that has reached its system. @returns the violation, if any */
  readonly onPerformed?: (port: MemoryPort, request: PerformedRequest) => string | undefined;
  /** Checks a change on the API server. @returns the violation, if any */
  readonly onEffect?: (effect: Effect) => string | undefined;
}

/** Creates an invariant with its state for one run. */
export type InvariantOf = (scene: Scene) => Invariant;
