import assert from 'node:assert/strict';
import { acceptanceOf } from '../../../../runtime/controller/custom-resource.js';
import type { Read } from '../../../../runtime/controller/reads.js';
import { apiVersionOf } from '../../../../runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../../runtime/kubernetes/object.js';
import type { ControllerCheck } from '../../trial/controller-check.js';
import type { Trial } from '../../trial/trial.js';
import { assertKept, kept } from './kept-objects.js';

export const keepsObjectsWithoutRequirement: ControllerCheck = {
  name: 'keeps all objects while an object that it requires is missing, and reports that',
  holds: async ({ controller, given, start }) => {
    for (const [name, read] of Object.entries(controller.reads).filter(([, { isRequired }]) => isRequired)) {
      const { trial, resource } = await start();
      const before = await kept(trial, resource);
      if (!(await removeRequired(trial, read, given.reads ?? []))) continue;
      await trial.rest(given.resource);
      assertKept(before, await kept(trial, resource), `objects were deleted while ${name} is missing`);
      const now = await trial.resource(given.resource);
      if (now && controller.isPrimary)
        assert.equal(acceptanceOf(now)?.status, 'False', `${name} is missing, but Accepted is not False`);
    }
  },
};

/** Deletes the objects of a read that the test gives. @returns false if it gives none */
async function removeRequired({ memory }: Trial, { kind }: Read, given: readonly Manifest[]): Promise<boolean> {
  const objects = given.filter((object) => object.kind === kind.kind && object.apiVersion === apiVersionOf(kind));
  for (const { metadata } of objects) {
    const live = await memory.read(kind, metadata);
    if (live) await memory.remove(kind, metadata, { uid: live.metadata.uid });
  }
  return objects.length > 0;
}
