import type { Chance } from '../environment/chance.js';
import type { Scene } from '../environment/scene.js';

/** Something that somebody does, once. @returns what was done, or undefined where there was nothing to do it to */
export type Act = (scene: Scene, chance: Chance) => string | undefined;
