import assert from 'node:assert/strict';
import { reportsElsewhere } from '../../../../runtime/controller/owned-status.js';
import { contents } from '../../trial/contents.js';
import type { ControllerCheck } from '../../trial/controller-check.js';
import { assertRejected } from '../../trial/rejection.js';

export const keepsObjectsOfRejectedSpec: ControllerCheck = {
  name: 'keeps and repairs the objects of the last accepted spec when a spec is rejected, and reports the rejection',
  holds: async ({ controller, given, start, write }) => {
    if (!given.rejected) return;
    const { trial, resource } = await start();
    const before = await contents(trial, given);
    await write(trial, given.resource, given.rejected);
    await trial.rest(given.resource);
    assert.deepEqual(await contents(trial, given), before);
    await assertRejected(trial, given.resource);
    if (reportsElsewhere(controller)) return; // no former state of the resource is kept
    for (const { kind, object } of await trial.owned(resource.metadata.uid)) {
      await trial.memory.remove(kind, object.metadata, { uid: object.metadata.uid });
    }
    await trial.rest(given.resource);
    assert.deepEqual(await contents(trial, given), before);
    await assertRejected(trial, given.resource);
  },
};
