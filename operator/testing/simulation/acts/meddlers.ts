import { pointerToken } from '../../../runtime/kubernetes/json.js';
import {
  annotatedOwnerOf,
  controlledByAnnotation,
  keyOf,
  type LiveObject,
} from '../../../runtime/kubernetes/object.js';
import { ownerAnnotation, ownerAnnotationOf } from '../../../runtime/ownership/ownership-labels.js';
import type { Chance } from '../environment/chance.js';
import { type Found, objectsIn, ownerUidOf, type Scene } from '../environment/scene.js';
import type { Act } from './act.js';
import { leafPointers } from './leaf-pointers.js';

/** An act on an object of the operator. */
function on(verb: string, meddle: (scene: Scene, found: Found, chance: Chance) => boolean): Act {
  return (scene, chance) => {
    const owned = objectsIn(scene).filter(({ object }) => ownerUidOf(scene, object) !== undefined);
    if (owned.length === 0) return undefined;
    const found = chance.pick(owned);
    const { kind, object } = found;
    return meddle(scene, found, chance) ? `${verb} ${kind.kind} ${keyOf(object.metadata)}` : undefined;
  };
}

const removes = on('removes', ({ server }, { kind, object }) => {
  server.remove(kind, object);
  return true;
});

const edits = on('edits', ({ server }, { kind, object }, chance) => {
  const fields = leafPointers(object);
  if (fields.length === 0) return false;
  server.patch(kind, object.metadata, [{ op: 'replace', path: chance.pick(fields), value: 'edited' }]);
  return true;
});

/** Fields that are not content, or without which an API server stores no workload, Service or PVC. */
const kept: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'spec', 'status']);

const empties = on('empties', ({ server }, { kind, object }, chance) => {
  const fields = Object.keys(object).filter((field) => !kept.has(field));
  if (fields.length === 0) return false;
  server.patch(kind, object.metadata, [{ op: 'remove', path: `/${chance.pick(fields)}` }]);
  return true;
});

const annotates = on('annotates', ({ server }, { kind, object }, chance) => {
  const { apiVersion, metadata } = object;
  const { name, namespace } = metadata;
  const annotations = { 'example.org/theirs': String(Math.floor(chance.between(0, 1000))) };
  const named = { name, ...(namespace !== undefined && { namespace }), annotations };
  server.apply(kind, { apiVersion, kind: kind.kind, metadata: named }, 'annotator');
  return true;
});

/** Watches by label no longer see the object. The operator still finds it if the inventory of a resource lists it. */
const unlabels = on('removes the labels of', (scene, { kind, object }) => {
  if (!object.metadata.labels) return false;
  if (!ownerAnnotationOf(object)) scene.released.add(object.metadata.uid);
  scene.server.patch(kind, object.metadata, [{ op: 'remove', path: '/metadata/labels' }]);
  return true;
});

const disowns = on('removes the owner of', (scene, { kind, object }) => {
  scene.released.add(object.metadata.uid);
  scene.server.patch(kind, object.metadata, [{ op: 'remove', path: placeOfOwner(object) }]);
  return true;
});

/** Another controller sets a finalizer and removes it late. */
const holds = on('sets a finalizer for a while on', ({ server, time }, { kind, object }, chance) => {
  const { apiVersion, metadata } = object;
  const { name, namespace, uid } = metadata;
  const named = { name, ...(namespace !== undefined && { namespace }), uid };
  const finalize = (finalizers: readonly string[]) =>
    server.apply(kind, { apiVersion, kind: kind.kind, metadata: { ...named, finalizers } }, 'holder');
  finalize(['example.org/hold']);
  time.after(chance.spread(100, 20_000), () => {
    if (server.find(kind, metadata)?.metadata.uid === uid) finalize([]);
  });
  return true;
});

/** Acts of users and other controllers on objects of the operator. */
export const meddlers: readonly Act[] = [removes, removes, edits, edits, empties, annotates, unlabels, disowns, holds];

function placeOfOwner(object: LiveObject): string {
  const annotation = ownerAnnotationOf(object)
    ? ownerAnnotation
    : annotatedOwnerOf(object)
      ? controlledByAnnotation
      : undefined;
  return annotation === undefined ? '/metadata/ownerReferences' : `/metadata/annotations/${pointerToken(annotation)}`;
}
