import assert from 'node:assert/strict';
import { conditionOf } from '../../../runtime/controller/conditions.js';
import type { CustomResource } from '../../../runtime/controller/custom-resource.js';
import { reportIn } from '../../../runtime/controller/owned-status.js';
import { Event } from '../../../runtime/kubernetes/kinds.js';
import type { GivenResource } from './given-resource.js';
import type { Trial } from './trial.js';

/** Checks that the rejection of the spec is in the report, or in an event if nothing else reports. */
export async function assertRejected(trial: Trial, resource: GivenResource): Promise<void> {
  const live = (await trial.resource(resource)) as CustomResource;
  if (trial.controller.reportsTo === 'events') {
    const { items } = await trial.memory.list(Event, {});
    const warnings = items.filter((event) => (event as { readonly type?: string }).type === 'Warning');
    assert.notEqual(warnings.length, 0, 'no event reports the rejection');
    return;
  }
  const status = reportIn(trial.controller, live);
  assert.equal(conditionOf({ status }, 'Accepted')?.status, 'False');
}
