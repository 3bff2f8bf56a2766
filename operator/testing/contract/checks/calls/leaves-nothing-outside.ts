import assert from 'node:assert/strict';
import type { ControllerCheck } from '../../trial/controller-check.js';
import { memoryPorts, statesOf } from '../../trial/memory-port.js';

export const leavesNothingOutside: ControllerCheck = {
  name: 'leaves nothing outside of the cluster when the resource is deleted',
  concerns: ({ calls }) => calls.length > 0,
  holds: async ({ controller, given, start }) => {
    if (!controller.finalizes) return;
    const { trial, resource } = await start();
    await trial.memory.remove(controller.kind, resource.metadata, { uid: resource.metadata.uid });
    await trial.rest(given.resource);
    assert.equal(
      await trial.resource(given.resource),
      undefined,
      'the resource still exists; render no call when nothing is left',
    );
    assert.deepEqual(statesOf(trial.outside), statesOf(memoryPorts(given.ports)));
  },
};
