import assert from 'node:assert/strict';
import type { ControllerCheck } from '../../trial/controller-check.js';
import { memoryPorts, performedBy } from '../../trial/memory-port.js';

export const callsNothingWithoutAnswers: ControllerCheck = {
  name: 'sends no call while its polls have no answers',
  concerns: ({ calls }) => calls.length > 0,
  holds: async ({ given, start, process }) => {
    const outside = memoryPorts(given.ports);
    for (const port of outside) port.silence = 'the system is away';
    const trial = process((await start()).trial.memory, { outside });
    await trial.rest(given.resource);
    assert.deepEqual(performedBy(outside), []);
  },
};
