import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { databaseBackupKind, databaseKind } from '../../../../imports/index.js';
import { databaseBackup } from '../../../../operator/controllers/database-backup/index.js';
import {
  type Controller,
  type LiveObject,
  type Manifest,
  type ObjectKind,
  Pod,
} from '../../../../operator/runtime/index.js';
import { GivenOperator } from '../../runtime/given/operator.js';
import { givenBackup, givenDatabase, givenWorker } from './given-backup.js';
import { made } from './given-facts.js';

const name = { namespace: 'shop', name: 'nightly' };
let operator: GivenOperator;
beforeEach(async () => {
  operator = await new GivenOperator({ controllers: [databaseBackup as unknown as Controller] }).start();
});
afterEach(() => operator.close());

const bare = ({ name, namespace }: { name: string; namespace?: string | undefined }) => ({
  name,
  ...(namespace && { namespace }),
});
/** With its status, which another controller has written. */
const given = async (kind: ObjectKind, { metadata, ...rest }: Manifest & { readonly status?: unknown }) => {
  const resource = { ...rest, metadata: bare(metadata) };
  await operator.given(kind, resource);
  await operator.memory.apply(kind, resource, { manager: 'somebody', subresource: 'status' });
  await operator.clock.advance(2_000);
};
const found = () => operator.memory.read(databaseBackupKind, name);
const remove = async () => {
  const { metadata } = (await found()) as LiveObject;
  await operator.memory.remove(databaseBackupKind, name, { uid: metadata.uid });
  await operator.clock.advance(2_000);
};
const pods = () => [...operator.memory.peek(Pod).keys()];

describe('line 6: a backup that a person deletes', () => {
  test('is held until a worker has taken it out of the archive', async () => {
    await given(databaseKind, givenDatabase());
    await given(databaseBackupKind, givenBackup('nightly', { status: made }));
    expect(pods()).toEqual([]);
    await remove();
    expect(pods()).toEqual(['shop/nightly-expire-1']);
    expect(await found()).toBeDefined();
    await given(Pod, givenWorker('nightly-expire-1', { expired: true }));
    await operator.clock.advance(5_000);
    expect(await found()).toBeUndefined();
    expect(pods()).toEqual([]);
  });

  test('is deleted at once if no archive has it', async () => {
    await given(databaseBackupKind, givenBackup('nightly'));
    await remove();
    expect(await found()).toBeUndefined();
  });
});
