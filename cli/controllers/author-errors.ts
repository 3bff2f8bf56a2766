import { relative } from 'node:path';
import type { Controller } from '../../operator/runtime/controller/controller.js';
import type { CustomResource } from '../../operator/runtime/controller/custom-resource.js';
import { sourceLocationOf } from '../../operator/runtime/controller/user-code.js';
import { messageOf } from '../../operator/runtime/kubernetes/errors.js';
import { titleOf } from './resource-controllers.js';

/** What a controller has thrown for a resource, with the place in its author's code. */
export function failureOf({ name }: Controller, resource: CustomResource, error: unknown): Error {
  const why = `${messageOf(error)}${placeOf(error)}`;
  return new Error(`controller ${name} fails for ${titleOf(resource)}: ${why}`, { cause: error });
}

/** Where in its author's code something was thrown, as a line to put behind a message; empty where that is not known. */
export function placeOf(error: unknown): string {
  const place = sourceLocationOf(error);
  return place ? `\n  at ${relative('', place.file)}:${place.line}:${place.column}` : '';
}
