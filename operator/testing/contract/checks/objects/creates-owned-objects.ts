import assert from 'node:assert/strict';
import { ownerAnnotationOf } from '../../../../runtime/ownership/ownership-labels.js';
import type { ControllerCheck } from '../../trial/controller-check.js';

export const createsOwnedObjects: ControllerCheck = {
  name: 'creates objects with an owner reference, so that they are deleted with the resource',
  holds: async ({ start }) => {
    const { trial, resource } = await start();
    const objects = await trial.owned(resource.metadata.uid);
    assert.ok(
      objects.length > 0 || trial.outside.some(({ performed }) => performed.length > 0),
      'the resource owns no objects and needs no calls; use one for which the controller creates some',
    );
    for (const { object } of objects) {
      if (!ownerAnnotationOf(object)) assert.equal(object.metadata.namespace, resource.metadata.namespace);
    }
  },
};
