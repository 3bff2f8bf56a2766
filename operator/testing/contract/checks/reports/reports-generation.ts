import assert from 'node:assert/strict';
import { reportIn, reportsElsewhere } from '../../../../runtime/controller/owned-status.js';
import type { ControllerCheck } from '../../trial/controller-check.js';

export const reportsGeneration: ControllerCheck = {
  name: 'reports the generation of its status',
  holds: async ({ controller, given, start, write }) => {
    const { trial } = await start();
    await write(trial, given.resource, given.edited);
    await trial.pass(given.resource);
    const resource = await trial.resource(given.resource);
    if (!resource || controller.reportsTo === 'events') return; // events have no generation
    const { conditions = [], observedGeneration } = reportIn(controller, resource);
    const isWhole = controller.isPrimary && !reportsElsewhere(controller);
    const generations = isWhole ? [observedGeneration] : conditions.map((one) => one.observedGeneration);
    assert.deepEqual([...new Set(generations)], [resource.metadata.generation ?? 0]);
  },
};
