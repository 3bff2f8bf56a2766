import type { Bug } from './bug.js';
import { bugsOfPasses } from './bugs-of-passes.js';
import { bugsOfProcesses } from './bugs-of-processes.js';

/** All of them; the simulation must find each. */
export const bugs: readonly Bug[] = [...bugsOfPasses, ...bugsOfProcesses];
