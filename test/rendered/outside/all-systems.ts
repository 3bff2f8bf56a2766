import { acme } from './acme.js';
import { generators } from './certificates.js';
import { postgres, training } from './engines.js';
import { kafka } from './kafka.js';
import { inCluster } from './surroundings.js';
import type { Systems } from './system.js';

/** Everything outside, as if it was never asked before. */
export function allSystems(): Systems {
  return { ...inCluster(), ...generators(), ...acme(), ...postgres(), ...kafka(), ...training() };
}
