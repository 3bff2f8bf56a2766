import type { ControllerCheck } from '../../trial/controller-check.js';
import { memoryPorts } from '../../trial/memory-port.js';
import { assertKept, kept } from './kept-objects.js';

export const keepsObjectsWithoutAnswers: ControllerCheck = {
  name: 'keeps all objects while its polls have no answers',
  holds: async ({ controller, given, start, unanswered }) => {
    if (Object.keys(controller.polls).length === 0) return;
    const { trial, resource } = await start();
    const before = await kept(trial, resource);
    const outside = memoryPorts(given.ports);
    for (const port of outside) port.silence = 'the system is away';
    const next = unanswered(trial.memory, outside);
    await next.rest(given.resource);
    assertKept(before, await kept(next, resource), 'objects were deleted while polls have no answers');
  },
};
