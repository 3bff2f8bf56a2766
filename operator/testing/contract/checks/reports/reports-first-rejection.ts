import type { ControllerCheck } from '../../trial/controller-check.js';
import { assertRejected } from '../../trial/rejection.js';

export const reportsFirstRejection: ControllerCheck = {
  name: 'reports the rejection of the first spec of a resource',
  holds: async ({ given, start }) => {
    if (!given.rejected) return;
    const { trial } = await start(given.rejected);
    await assertRejected(trial, given.resource);
  },
};
