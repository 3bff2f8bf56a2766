import type { Controller } from '../../runtime/controller.js';
import { messageOf, RejectedError } from '../../runtime/errors.js';

/**
 * The same controller, of which is told when `desire` or `assess` fails: whatever goes wrong in the world, it is asked of
 * what is whole. A spec that it rejects is an answer.
 */
export function attended(controller: Controller, failed: (how: string) => void): Controller {
  const heard =
    <A extends unknown[], R>(name: string, ask: (...args: A) => R) =>
    (...args: A): R => {
      try {
        return ask(...args);
      } catch (error) {
        if (!(error instanceof RejectedError)) failed(`${name} failed${placeOf(error)}: ${messageOf(error)}`);
        throw error;
      }
    };
  return { ...controller, desire: heard('desire', controller.desire), assess: heard('assess', controller.assess) };
}

/** Where in its code. */
function placeOf(error: unknown): string {
  const [, place] =
    /\bat (?:.* \()?(?:file:\/\/)?([^()\s]+:\d+:\d+)\)?$/m.exec((error as Partial<Error>)?.stack ?? '') ?? [];
  return place === undefined ? '' : ` at ${place}`;
}
