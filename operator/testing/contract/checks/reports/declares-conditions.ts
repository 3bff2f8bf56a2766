import assert from 'node:assert/strict';
import type { ControllerCheck } from '../../trial/controller-check.js';
import { editableOf } from '../../trial/given-resource.js';
import { withHeardAssessments } from '../../trial/heard-assessments.js';

export const declaresConditions: ControllerCheck = {
  name: 'sets only declared conditions, because others are not reported',
  holds: async ({ controller, given, start }) => {
    const { heard, undeclared } = withHeardAssessments(controller);
    for (const spec of [editableOf(given.resource), given.edited]) await start(spec, heard);
    assert.deepEqual([...undeclared], [], 'declare these in conditions');
  },
};
