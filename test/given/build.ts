import { join } from 'node:path';

/** The folder of the compiled package, which is of the present sources: `build.setup.ts` sees to that. */
export const build = 'build';

/** The program that the image of the operator runs. */
export const operatorProgram = join(build, 'operator', 'main.js');
