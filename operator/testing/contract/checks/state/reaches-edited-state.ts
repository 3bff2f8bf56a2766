import assert from 'node:assert/strict';
import { contents } from '../../trial/contents.js';
import type { ControllerCheck } from '../../trial/controller-check.js';

export const reachesEditedState: ControllerCheck = {
  name: 'reaches the same state by an edit as by a creation with the edited spec',
  holds: async ({ given, start, write }) => {
    const { trial } = await start();
    const before = await contents(trial, given);
    await write(trial, given.resource, given.edited);
    await trial.rest(given.resource);
    const after = await contents(trial, given);
    assert.notDeepEqual(after, before, 'no object changed; use an edited spec that changes the objects');
    assert.deepEqual(after, await contents((await start(given.edited)).trial, given));
  },
};
