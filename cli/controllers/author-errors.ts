import { relative } from 'node:path';
import type { Controller } from '../../operator/runtime/controller/controller.js';
import type { CustomResource } from '../../operator/runtime/controller/custom-resource.js';
import { sourceLocationOf } from '../../operator/runtime/controller/user-code.js';
import { messageOf } from '../../operator/runtime/kubernetes/errors.js';
import { titleOf } from './resource-controllers.js';

/** The error of a controller for a resource, with the source location in the controller's code. */
export function failureOf({ name }: Controller, resource: CustomResource, error: unknown): Error {
  const why = `${messageOf(error)}${placeOf(error)}`;
  return new Error(`controller ${name} failed for ${titleOf(resource)}: ${why}`, { cause: error });
}

/** The source location of an error, as a line to append to a message; empty if unknown. */
export function placeOf(error: unknown): string {
  const place = sourceLocationOf(error);
  return place ? `\n  at ${relative('', place.file)}:${place.line}:${place.column}` : '';
}
