import type { CustomResource } from '../../../runtime/controller/custom-resource.js';
import { controlledByAnnotation, keyOf, type LiveObject } from '../../../runtime/kubernetes/object.js';
import { appliedAnnotation } from '../../../runtime/kubernetes/well-known-names.js';
import { ownerAnnotation } from '../../../runtime/ownership/ownership-labels.js';
import { isPodOwner } from '../../../runtime/ownership/pod-owner.js';
import type { GivenResource } from './given-resource.js';
import { statesOf } from './memory-port.js';
import type { Trial } from './trial.js';

/**
 * The owned objects, without fields that differ between two creations of the same object, and without pod owners, whose
 * name may differ.
 */
export async function contents(
  trial: Trial,
  { resource }: { readonly resource: GivenResource },
): Promise<Readonly<Record<string, object>>> {
  const owner = (await trial.resource(resource)) as CustomResource;
  const of = { controller: trial.controller, resource: owner.metadata.name };
  const objects = (await trial.owned(owner.metadata.uid)).filter((one) => !isPodOwner(one, of));
  const entries = objects.map(({ object }) => {
    const { uid, resourceVersion, generation, creationTimestamp, ownerReferences, ...metadata } = object.metadata;
    const { managedFields: _, annotations, ...named } = metadata as typeof metadata & { managedFields?: unknown };
    const {
      [appliedAnnotation]: __,
      [ownerAnnotation]: ___,
      [controlledByAnnotation]: ____,
      ...others
    } = annotations ?? {};
    return [
      `${object.kind} ${keyOf(object.metadata)}`,
      { ...object, metadata: { ...named, annotations: others } },
    ] as const;
  });
  return { ...Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1))), outside: statesOf(trial.outside) };
}

/** The path of a field that a user may break. */
export function edit(object: LiveObject): string {
  const kept = ['apiVersion', 'kind', 'metadata', 'status'];
  const isStated = (value: unknown) => typeof value !== 'object' || Object.keys(value ?? {}).length > 0;
  const field = Object.entries(object).find(([name, value]) => !kept.includes(name) && isStated(value));
  return field ? `/${field[0]}` : '/metadata/labels';
}
