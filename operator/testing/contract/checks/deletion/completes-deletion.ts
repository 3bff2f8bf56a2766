import assert from 'node:assert/strict';
import { groupKindOf, Job } from '../../../../runtime/kubernetes/kinds.js';
import { keyOf, type LiveObject } from '../../../../runtime/kubernetes/object.js';
import { ownerAnnotationOf } from '../../../../runtime/ownership/ownership-labels.js';
import type { ControllerCheck } from '../../trial/controller-check.js';
import type { Trial } from '../../trial/trial.js';
import { somebody } from '../../trial/trials.js';

/** The number of Jobs, one after the other, that a deletion may wait for. */
const maxTasks = 10;

export const completesDeletion: ControllerCheck = {
  name: 'completes the deletion of a resource and leaves nothing behind',
  holds: async ({ controller, given, start }) => {
    const { trial, resource } = await start();
    await trial.memory.remove(controller.kind, resource.metadata, { uid: resource.metadata.uid });
    await trial.rest(given.resource);
    for (let task = 0; task < maxTasks && (await succeed(trial, resource)); task++) await trial.rest(given.resource);
    const left = await trial.owned(resource.metadata.uid);
    assert.ok(!(await trial.resource(given.resource)), stays(left.map(({ object }) => object)));
    // Without a finalizer, the garbage collector deletes objects with an owner reference.
    assert.deepEqual(controller.finalizes ? left : left.filter(({ object }) => ownerAnnotationOf(object)), []);
  },
};

/**
 * Completes the Jobs that a deleted resource waits for, like a cluster with nodes.
 * @returns true if there were any
 */
async function succeed(trial: Trial, { metadata: { uid } }: LiveObject): Promise<boolean> {
  let isAny = false;
  const status = { succeeded: 1, conditions: [{ type: 'Complete', status: 'True' }] };
  for (const { kind, object } of await trial.owned(uid)) {
    if (groupKindOf(kind) !== groupKindOf(Job) || 'status' in object) continue;
    isAny = true;
    const ended = [{ op: 'add', path: '/status', value: status }] as const;
    await trial.memory.patch(kind, object.metadata, ended, { manager: somebody, subresource: 'status' });
  }
  return isAny;
}

/** Why a deleted resource still exists, for the author of `desire`. */
function stays(left: readonly LiveObject[]): string {
  const objects = left.map((object) => `${object.kind} ${keyOf(object.metadata)}`).join(', ');
  return `the resource still exists because desire still renders ${objects}; render nothing when the cleanup is complete`;
}
