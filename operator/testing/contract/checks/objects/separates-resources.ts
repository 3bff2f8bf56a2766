import type { ControllerCheck } from '../../trial/controller-check.js';
import { editableOf } from '../../trial/given-resource.js';
import { Trial } from '../../trial/trial.js';
import { refuseOverlaps } from './overlaps.js';

export const separatesResources: ControllerCheck = {
  name: 'gives each resource its own objects and Pods',
  holds: async ({ controller, given, write, memoryWith }) => {
    await refuseOverlaps(given, async (resource) => {
      const trial = new Trial(controller, await memoryWith(), given);
      const { metadata } = await write(trial, resource, editableOf(resource));
      await trial.rest(resource);
      return trial.owned(metadata.uid);
    });
  },
};
