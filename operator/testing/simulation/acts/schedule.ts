import type { Scene } from '../environment/scene.js';
import type { Act } from './act.js';
import { meddlers } from './meddlers.js';
import { referents } from './referents.js';
import { squatters } from './squatters.js';
import { users, write } from './users.js';

/** Acts of one run. */
const fewest = 3;
const most = 14;
/** Milliseconds after the last act in which things may still go wrong. */
const rest = 5_000;

/**
 * Has people act, at times that a run decides: at once, or long after each other.
 * @param skipped acts to leave out, by their number; the others do the same as ever
 * @returns how many acts there are, and the milliseconds that they take
 */
export function scheduleActs(scene: Scene, skipped: ReadonlySet<number>): { acts: number; length: number } {
  const chance = scene.chance.fork('acts');
  const sets = [users, users, meddlers, squatters, ...(scene.given.reads?.length ? [referents] : [])];
  const count = Math.floor(chance.between(fewest, most));
  let at = 0;
  for (let number = 0; number < count; number++) {
    const own = chance.fork(String(number));
    const act = number === 0 ? begins : own.pick(own.pick(sets));
    at += own.spread(1, 15_000);
    if (skipped.has(number)) continue;
    scene.time.after(at, () => {
      const done = act(scene, own);
      if (done !== undefined) scene.history.say('somebody', `${done} (act ${number})`);
    });
  }
  return { acts: count, length: at + rest };
}

const begins: Act = (scene) => scene.names.map((name) => write(scene, name, scene.given.resource.spec)).join(', ');
