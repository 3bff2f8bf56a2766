/**
 * Whether tests play all of their histories: in `npm run histories`, which `.ci/run` runs if a controller, the runtime or
 * the simulation changed.
 */
export const playsAll = process.env['RECONSTRUCT_HISTORIES'] === 'all';

/** The number of histories that a test plays: as many as suit a commit, or `all`. */
export function seeds(commit: number, all: number): number {
  return playsAll ? all : commit;
}
