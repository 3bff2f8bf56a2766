import { MemoryCluster } from '../../../memory/memory-cluster.js';
import type { ControllerCheck } from '../../trial/controller-check.js';
import { editableOf } from '../../trial/given-resource.js';
import { Trial } from '../../trial/trial.js';

export const toleratesMissingReads: ControllerCheck = {
  name: 'does not fail while objects that it reads are missing',
  holds: async ({ controller, given, write }) => {
    const trial = new Trial(controller, new MemoryCluster(), given);
    await write(trial, given.resource, editableOf(given.resource));
    await trial.rest(given.resource);
  },
};
