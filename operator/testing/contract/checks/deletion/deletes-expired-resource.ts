import assert from 'node:assert/strict';
import { ownerAnnotationOf } from '../../../../runtime/ownership/ownership-labels.js';
import type { ControllerCheck } from '../../trial/controller-check.js';
import { somebody } from '../../trial/trials.js';

export const deletesExpiredResource: ControllerCheck = {
  name: 'deletes a resource that has expired, with its objects',
  holds: async ({ controller, given, start }) => {
    if (!given.expired) return;
    const { spec, status } = given.expired;
    const { trial, resource } = await start(spec);
    assert.ok(await trial.resource(given.resource), 'the resource was deleted before it had expired');
    const expired = [{ op: 'add', path: '/status', value: status }] as const;
    const asStatus = { manager: somebody, subresource: 'status' } as const;
    await trial.memory.patch(controller.kind, resource.metadata, expired, asStatus);
    await trial.rest(given.resource);
    assert.equal(await trial.resource(given.resource), undefined, 'the resource still exists');
    const left = await trial.owned(resource.metadata.uid);
    assert.deepEqual(controller.finalizes ? left : left.filter(({ object }) => ownerAnnotationOf(object)), []);
  },
};
