import assert from 'node:assert/strict';
import type { ControllerCheck } from '../../trial/controller-check.js';
import { somebody } from '../../trial/trials.js';

export const keepsForeignFields: ControllerCheck = {
  name: 'keeps fields that other managers add to its objects',
  holds: async ({ given, start, write }) => {
    const { trial, resource } = await start();
    const theirs = [{ op: 'add', path: '/metadata/annotations/example.org~1theirs', value: '1' }] as const;
    const theirOwn = new Set<string>();
    for (const { kind, object } of await trial.owned(resource.metadata.uid)) {
      await trial.memory.patch(kind, object.metadata, theirs, { manager: somebody });
      theirOwn.add(object.metadata.uid);
    }
    assert.equal(await trial.pass(given.resource), 0);
    await write(trial, given.resource, given.edited);
    await trial.rest(given.resource);
    for (const { object } of await trial.owned(resource.metadata.uid)) {
      const hasTheirs = object.metadata.annotations?.['example.org/theirs'] !== undefined;
      // An object that was deleted and created again is another one.
      assert.ok(hasTheirs || !theirOwn.has(object.metadata.uid), `${object.kind} ${object.metadata.name} lost a field`);
    }
  },
};
