import { editableOf } from '../../contract/trial/given-resource.js';
import type { Scene } from '../environment/scene.js';
import type { Act } from './act.js';
import { meddlers } from './meddlers.js';
import { outsiders } from './outsiders.js';
import { referents } from './referents.js';
import { squatters } from './squatters.js';
import { users, write } from './users.js';

/** Minimum and maximum number of acts in one run. */
const fewest = 3;
const most = 14;
/** Milliseconds after the last act during which faults are still possible. */
const rest = 5_000;

/**
 * Schedules the acts of users and other controllers at random times, close together or far apart.
 * @param skipped numbers of acts to skip; the others stay the same
 * @returns the number of acts, and their total duration in milliseconds
 */
export function scheduleActs(scene: Scene, skipped: ReadonlySet<number>): { acts: number; length: number } {
  const chance = scene.chance.fork('acts');
  const sets = [
    users,
    users,
    meddlers,
    squatters,
    ...(scene.given.reads?.length ? [referents] : []),
    ...(scene.given.ports?.length && chance.happens(0.5) ? [outsiders] : []),
  ];
  const count = Math.floor(chance.between(fewest, most));
  let at = 0;
  for (let number = 0; number < count; number++) {
    const own = chance.fork(String(number));
    const act = number === 0 ? begins : own.pick(own.pick(sets));
    at += own.spread(1, 15_000);
    if (skipped.has(number)) continue;
    scene.time.after(at, () => {
      const done = act(scene, own);
      if (done !== undefined) scene.history.say('user', `${done} (act ${number})`);
    });
  }
  return { acts: count, length: at + rest };
}

const begins: Act = (scene) =>
  scene.names.map((name) => write(scene, name, editableOf(scene.given.resource))).join(', ');
