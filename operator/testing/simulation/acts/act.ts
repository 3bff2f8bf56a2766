import type { Chance } from '../environment/chance.js';
import type { Scene } from '../environment/scene.js';

/** One action of a user or of another controller. @returns a description, or undefined if there was no target */
export type Act = (scene: Scene, chance: Chance) => string | undefined;
