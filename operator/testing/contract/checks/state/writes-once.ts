import assert from 'node:assert/strict';
import { contents } from '../../trial/contents.js';
import type { ControllerCheck } from '../../trial/controller-check.js';
import { Trial } from '../../trial/trial.js';

export const writesOnce: ControllerCheck = {
  name: 'writes nothing in a second reconcile, or in ten, or in another process',
  holds: async ({ controller, given, start }) => {
    const { trial } = await start();
    for (let n = 0; n < 10; n++) assert.equal(await trial.pass(given.resource), 0);
    const next = new Trial(controller, trial.memory, { ...given, outside: trial.outside });
    const before = await contents(trial, given);
    // A new process has no polled answers at first, which it may report.
    if (Object.keys(controller.polls).length > 0) await next.rest(given.resource);
    assert.equal(await next.pass(given.resource), 0);
    assert.deepEqual(await contents(next, given), before);
  },
};
