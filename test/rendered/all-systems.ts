import { partsOf } from '../systems/parts.js';
import { generators } from './ports/generators.js';
import { inCluster } from './ports/surroundings.js';
import type { System, Systems } from './ports/system.js';

const bySystem = await partsOf<() => Systems>('test/rendered/outside/<system>.ts', 'outside');

/** Everything outside, as if it was never asked before. @throws {Error} if two systems answer at a port */
export function allSystems(): Systems {
  const all: Record<string, System> = {};
  for (const answering of [inCluster, generators, ...bySystem.values()])
    for (const [port, system] of Object.entries(answering())) {
      if (Object.hasOwn(all, port)) throw new Error(`${port} is answered twice in test/rendered: keep one of the two`);
      all[port] = system;
    }
  return all;
}
