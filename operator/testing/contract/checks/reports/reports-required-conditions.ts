import assert from 'node:assert/strict';
import type { ControllerCheck } from '../../trial/controller-check.js';
import { editableOf } from '../../trial/given-resource.js';
import { requiredConditions, withHeardAssessments } from '../../trial/heard-assessments.js';

export const reportsRequiredConditions: ControllerCheck = {
  name: 'reports each condition that Ready waits for, and only status fields of its kind',
  holds: async ({ controller, given, start }) => {
    const { heard, reported, unknownFields } = withHeardAssessments(controller);
    for (const spec of [editableOf(given.resource), given.edited]) await start(spec, heard);
    const missing = requiredConditions(controller).filter((type) => !reported.has(type));
    assert.deepEqual(missing, [], 'return these from assess, or list them in optionalConditions');
    assert.deepEqual([...unknownFields], [], 'correct the names of these status fields, or add them to the schema');
  },
};
