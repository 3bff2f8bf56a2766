import assert from 'node:assert/strict';
import type { ControllerCheck } from '../../trial/controller-check.js';
import { performedBy } from '../../trial/memory-port.js';

export const repeatsNoCall: ControllerCheck = {
  name: 'sends no further call in a second reconcile, or in ten, or in another process',
  concerns: ({ calls }) => calls.length > 0,
  holds: async ({ given, start, process }) => {
    const { trial } = await start();
    const { length } = performedBy(trial.outside);
    assert.ok(length > 0, 'nothing was called; use a resource for which desire renders a call, and a model in ports');
    for (let n = 0; n < 10; n++) await trial.pass(given.resource);
    const next = process(trial.memory, { outside: trial.outside });
    await next.rest(given.resource);
    assert.equal(performedBy(trial.outside).length, length);
    assert.ok(
      performedBy(trial.outside).every(({ isChange }) => isChange),
      'a call changed nothing',
    );
  },
};
