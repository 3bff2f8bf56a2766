import { codePlaceOf } from '../../runtime/code-place.js';
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
  const place = codePlaceOf(error);
  return place ? ` at ${place.file}:${place.line}:${place.column}` : '';
}
