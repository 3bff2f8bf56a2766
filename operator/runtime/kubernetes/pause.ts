import type { LiveObject } from './object.js';

/** Annotation by which a person pauses a resource. Its value is `true` or `false`. */
export const pausedAnnotation = 'reconstruct.dev/paused';

/** Annotation by which a person asks for a reconcile now. Each new value does, whatever it is. */
export const reconcileAtAnnotation = 'reconstruct.dev/reconcile-at';

/** Characters of an invalid value in a message. Any user who may edit the resource can have written it. */
const shownValue = 40;

/**
 * True if no object of the resource may be written, and no external call be sent. A resource that is being deleted is
 * not paused: its cleanup goes on.
 */
export function isPaused(resource: LiveObject): boolean {
  return pauseValue(resource) === 'true' && resource.metadata.deletionTimestamp === undefined;
}

/** What is wrong with the annotation that pauses a resource. Undefined if nothing is. */
export function invalidPauseOf(resource: LiveObject): string | undefined {
  const value = pauseValue(resource);
  if (value === undefined || value === 'true' || value === 'false') return undefined;
  const shown = JSON.stringify(value.slice(0, shownValue));
  return `Annotation ${pausedAnnotation}: Invalid value: ${shown}: must be true or false; the resource is not paused`;
}

function pauseValue({ metadata }: LiveObject): string | undefined {
  return metadata.annotations?.[pausedAnnotation];
}

/** True if a person paused or resumed the resource, or asked for a reconcile. */
export function isCommand(before: LiveObject, after: LiveObject): boolean {
  return isPaused(before) !== isPaused(after) || isReconcileRequest(before, after);
}

/** True if a person asked for a reconcile of the resource now. */
export function isReconcileRequest({ metadata: before }: LiveObject, { metadata: after }: LiveObject): boolean {
  const at = after.annotations?.[reconcileAtAnnotation];
  return at !== undefined && at !== before.annotations?.[reconcileAtAnnotation];
}
