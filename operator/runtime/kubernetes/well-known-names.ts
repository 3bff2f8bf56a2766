/** Label of everything that a controller made, with the controller's name: what the caches watch by. */
export const controllerLabel = 'reconstruct.dev/controller';

/**
 * Annotation with the fingerprint of what was asked for last, a dot, and that of its shape ({@link fieldSetOf}): tells an
 * older wish from a drifted object, and one that states other fields from one that states other values.
 */
export const appliedAnnotation = 'reconstruct.dev/applied';

/** Annotation of an object that is left as it was made: it tells people that an edit of it stays. */
export const onceAnnotation = 'reconstruct.dev/once';

/** The finalizer of a controller. */
export function finalizerOf(controller: string): string {
  return `reconstruct.dev/${controller}`;
}

/** Annotation by which a person hands an existing object over; its value is `namespace/name` of the new owner. */
export const adoptAnnotation = 'reconstruct.dev/adopt-by';

/** The field manager of a controller's writes. */
export function managerOf(controller: string): string {
  return `${managerPrefix}${controller}`;
}
export const managerPrefix = 'reconstruct-';
