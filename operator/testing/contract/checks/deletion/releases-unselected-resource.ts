import assert from 'node:assert/strict';
import type { CustomResource } from '../../../../runtime/controller/custom-resource.js';
import { reportIn } from '../../../../runtime/controller/owned-status.js';
import type { ControllerCheck } from '../../trial/controller-check.js';
import { memoryPorts, statesOf } from '../../trial/memory-port.js';

export const releasesUnselectedResource: ControllerCheck = {
  name: 'leaves nothing behind for a resource that it no longer selects',
  holds: async ({ controller, given, start, write }) => {
    if (!given.unselected) return;
    const { trial, resource } = await start();
    await write(trial, given.resource, given.unselected);
    await trial.rest(given.resource);
    const left = (await trial.resource(given.resource)) as CustomResource;
    assert.deepEqual(await trial.owned(resource.metadata.uid), [], 'objects are left');
    assert.deepEqual(left.metadata.finalizers ?? [], resource.metadata.finalizers ?? [], 'a finalizer is left');
    assert.deepEqual(reportIn(controller, left), {}, 'a report is left');
    assert.deepEqual(statesOf(trial.outside), statesOf(memoryPorts(given.ports)), 'something is left outside');
  },
};
