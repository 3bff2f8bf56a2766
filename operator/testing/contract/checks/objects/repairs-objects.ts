import assert from 'node:assert/strict';
import { isMadeOnce } from '../../../../runtime/ownership/ownership-labels.js';
import { contents, edit } from '../../trial/contents.js';
import type { ControllerCheck } from '../../trial/controller-check.js';
import { somebody } from '../../trial/trials.js';

export const repairsObjects: ControllerCheck = {
  name: 'recreates deleted objects and reverts edits',
  holds: async ({ given, start }) => {
    const { trial, resource } = await start();
    const before = await contents(trial, given);
    for (const { kind, object } of await trial.owned(resource.metadata.uid)) {
      if (isMadeOnce(object)) continue; // edits of it are kept
      await trial.memory.patch(kind, object.metadata, [{ op: 'remove', path: edit(object) }], {
        manager: somebody,
      });
    }
    await trial.rest(given.resource);
    assert.deepEqual(await contents(trial, given), before);
    for (const { kind, object } of await trial.owned(resource.metadata.uid)) {
      await trial.memory.remove(kind, object.metadata, { uid: object.metadata.uid });
    }
    await trial.rest(given.resource);
    assert.deepEqual(await contents(trial, given), before);
  },
};
