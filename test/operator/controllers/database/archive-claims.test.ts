import { describe, expect, test } from 'vitest';
import { type DatabaseResource, databaseKind } from '../../../../imports/index.js';
import {
  type ArchiveClaimant,
  assertArchiveIsFree,
} from '../../../../operator/controllers/database/archive/archive-claims.js';
import { reads } from '../../../../operator/controllers/database/declarations.js';
import { refer } from '../../../../operator/runtime/controller/reads.js';
import { live } from '../../../given.js';

interface Given {
  readonly name?: string;
  readonly namespace?: string;
  readonly created?: string;
  readonly timeline?: number;
  readonly s3?: object;
}

const noon = '2030-01-01T12:00:00Z';
const later = '2030-01-01T12:00:01Z';

/** A Database that archives to a folder of a bucket. */
function database({ name = 'orders', namespace = 'team', created = noon, timeline, s3 = {} }: Given): DatabaseResource {
  const target = { s3: { endpoint: 's3.example.com', bucket: 'b', path: '/shared', ...s3 } };
  const object = { apiVersion: 'reconstruct.dev/v1alpha1', kind: 'Database', metadata: { name, namespace } };
  return live({ ...object, spec: { backup: { target } }, status: { timeline } }, {
    creationTimestamp: created,
  } as never) as unknown as DatabaseResource;
}

/** Whether a Database may start beside another one, by the archives of both. */
function problemOf(self: DatabaseResource, other: DatabaseResource): string | undefined {
  const { indexFunc, part, refersTo } = reads(refer as never).archiveClaimants;
  const wanted = refersTo(self as never).map((reference) => (reference as { readonly value: string }).value);
  const found = [self, other].filter((one) => indexFunc?.(one as never).some((value) => wanted.includes(value)));
  try {
    assertArchiveIsFree(self, found.map((one) => part?.(one as never)) as readonly ArchiveClaimant[]);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const taken =
  'spec.backup.target.s3: Invalid value: must be an archive of its own, and Database other/orders has this one; set another bucket or path';

describe('line 9: an archive that two Databases claim', () => {
  test.each<{ when: string; self?: Given; other?: Given }>([
    { when: 'the other one is older', self: { created: later } },
    { when: 'both are of one second, and the other one is the first by name' },
    { when: 'the other one has started, though it is newer', other: { created: later, timeline: 1 } },
  ])('is refused when $when', ({ self, other }) => {
    expect(problemOf(database({ ...self }), database({ namespace: 'other', ...other }))).toBe(taken);
  });

  test.each<{ when: string; self?: Given; other?: Given }>([
    { when: 'this one is older', other: { created: later } },
    { when: 'this one has started, though it is newer', self: { created: later, timeline: 1 } },
    { when: 'the other one has another bucket', self: { created: later }, other: { s3: { bucket: 'c' } } },
    { when: 'the other one has another folder', self: { created: later }, other: { s3: { path: '/other' } } },
    { when: 'the other one has the default folder', self: { created: later }, other: { s3: { path: undefined } } },
    { when: 'the other one has another name', self: { created: later }, other: { name: 'carts' } },
  ])('is free when $when', ({ self, other }) => {
    expect(problemOf(database({ ...self }), database({ namespace: 'other', ...other }))).toBeUndefined();
  });

  test('is looked for among Databases', () => {
    expect(reads(refer as never).archiveClaimants.kind).toBe(databaseKind);
  });
});
