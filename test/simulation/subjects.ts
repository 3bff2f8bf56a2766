import { runtimeSubjects, type Subject } from './runtime-subjects.js';
import { subjectsOfSystems } from './system-parts.js';

const ofSystems = await subjectsOfSystems();

/** All controllers that are simulated, by the name on the command line. */
export const subjects: Readonly<Record<string, Subject>> = Object.assign({}, runtimeSubjects, ...ofSystems.values());
