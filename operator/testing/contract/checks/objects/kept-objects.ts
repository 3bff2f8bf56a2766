import assert from 'node:assert/strict';
import type { LiveObject } from '../../../../runtime/kubernetes/object.js';
import type { Trial } from '../../trial/trial.js';

/** The objects that a resource owns: their names by their UIDs. */
export async function kept(trial: Trial, { metadata: { uid } }: LiveObject): Promise<ReadonlyMap<string, string>> {
  const owned = await trial.owned(uid);
  return new Map(owned.map(({ object }) => [object.metadata.uid, `${object.kind} ${object.metadata.name}`]));
}

/** Checks that what is not known takes no object away. @throws {Error} with the names of those that were deleted */
export function assertKept(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  what: string,
): void {
  const gone = [...before].filter(([uid]) => !after.has(uid)).map(([, name]) => name);
  assert.deepEqual(gone, [], `${what}; render them, or call keep() in desire, while it is not known`);
}
