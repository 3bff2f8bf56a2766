import type { LivePersistentVolumeClaim } from '../runtime/index.js';

/** Annotation with which the runtime marks owned objects. */
const ownedAnnotation = 'reconstruct.dev/controlled-by';

/**
 * The PVCs of a resource, and unowned ones that an earlier resource of the same name left.
 * @param own the owned PVCs
 * @param named all PVCs with the labels of the name
 */
export function withLeftClaims(
  own: readonly LivePersistentVolumeClaim[],
  named: readonly LivePersistentVolumeClaim[],
): readonly LivePersistentVolumeClaim[] {
  const names = new Set(own.map(({ metadata }) => metadata.name));
  const isLeft = ({ metadata: { name, annotations, ownerReferences = [] } }: LivePersistentVolumeClaim) =>
    !names.has(name) && ownerReferences.length === 0 && annotations?.[ownedAnnotation] === undefined;
  return [...own, ...named.filter(isLeft)];
}
