import type { Controller, CustomResource } from '../../runtime/controller.js';
import type { ObjectKind } from '../../runtime/kinds.js';
import type { LiveObject } from '../../runtime/object.js';
import { type Found, foundBy, hasLabels, type Read, type Reference } from '../../runtime/reads.js';

/** All objects of a kind. */
export type Everything = (kind: ObjectKind) => readonly LiveObject[];

/** What a resource refers to, as it is now. */
export function referencesOf({ reads }: Controller, resource: CustomResource, all: Everything): Found {
  const found = Object.entries(reads).map(([name, read]) => [name, seen(read, resource, all)] as const);
  return Object.fromEntries(found) as Found;
}

function seen(read: Read, resource: CustomResource, all: Everything): unknown {
  const everything = [...all(read.kind)].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const objects = read.refersTo(resource).map((reference) => everything.filter((one) => isMeant(one, reference)));
  return foundBy(read, objects);
}

function isMeant(object: LiveObject, reference: Reference): boolean {
  if ((object.metadata.namespace ?? '') !== reference.namespace) return false;
  return 'name' in reference ? object.metadata.name === reference.name : hasLabels(object, reference.labels);
}
