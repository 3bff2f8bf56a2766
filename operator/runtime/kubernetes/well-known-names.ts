/** Label of every object that a controller created, with the controller's name. The caches watch by it. */
export const controllerLabel = 'reconstruct.dev/controller';

/**
 * Annotation with the fingerprint of the last applied manifest, a dot, and the fingerprint of its field set ({@link
 * fieldSetOf}). It distinguishes an older manifest from a drifted object, and a change of fields from a change of
 * values.
 */
export const appliedAnnotation = 'reconstruct.dev/applied';

/** Annotation of an object that is created once and never changed. It shows people that edits of it stay. */
export const onceAnnotation = 'reconstruct.dev/once';

/** The finalizer of a controller. */
export function finalizerOf(controller: string): string {
  return `reconstruct.dev/${controller}`;
}

/** Annotation by which a person hands an existing object over. Its value is `namespace/name` of the new owner. */
export const adoptAnnotation = 'reconstruct.dev/adopt-by';

/** The field manager of a controller's writes. */
export function managerOf(controller: string): string {
  return `${managerPrefix}${controller}`;
}
export const managerPrefix = 'reconstruct-';
