import { runtimeStatusOf } from '../../../runtime/controller/custom-resource.js';
import type { LiveObject } from '../../../runtime/kubernetes/object.js';
import type { InvariantOf } from './invariant.js';

/** Prefix of the labels, annotations, finalizers and conditions of other managers. */
export const theirs = 'example.org/';

/** The additions of other managers to an object. */
function additionsTo(object: LiveObject): readonly string[] {
  const { metadata } = object;
  const { conditions = [] } = runtimeStatusOf(object);
  const said = [
    ...Object.entries(metadata.annotations ?? {}).map(([key, value]) => `${key}=${value}`),
    ...Object.entries(metadata.labels ?? {}).map(([key, value]) => `${key}=${value}`),
    ...(metadata.finalizers ?? []),
    ...conditions.map(({ type, reason }) => `${type}=${reason}`),
  ];
  return said.filter((one) => one.startsWith(theirs));
}

export const additions: InvariantOf = () => ({
  promise: 'keeps additions of other managers to an object',
  onEffect: ({ by, before, after, request }) => {
    if (!by || !before || !after || before.metadata.uid !== after.metadata.uid) return undefined;
    const left = new Set(additionsTo(after));
    const lost = additionsTo(before).find((one) => !left.has(one));
    return lost && `${request.kind.kind} ${after.metadata.name} lost ${lost} when ${by.identity} wrote it`;
  },
});
