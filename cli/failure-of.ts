import type { Controller, CustomResource } from '../operator/runtime/controller.js';
import { messageOf } from '../operator/runtime/errors.js';
import { titleOf } from './matching.js';
import { placeOf } from './place-of.js';

/** What a controller has thrown for a resource, with the place in its author's code. */
export function failureOf({ name }: Controller, resource: CustomResource, error: unknown): Error {
  const why = `${messageOf(error)}${placeOf(error)}`;
  return new Error(`controller ${name} fails for ${titleOf(resource)}: ${why}`, { cause: error });
}
