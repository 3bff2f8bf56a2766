import { afterEach, beforeEach, expect, test } from 'vitest';
import { databaseSpec, withDefaults } from '../../../../../crds/index.js';
import { databaseKind } from '../../../../../imports/index.js';
import { database } from '../../../../../operator/controllers/database/index.js';
import { type Controller, type LiveSecret, Secret } from '../../../../../operator/runtime/index.js';
import { portsOf } from '../../../../../operator/testing/contract/trial/answers.js';
import { GivenOperator } from '../../../runtime/given/operator.js';
import { drawing, listening } from '../given-answers.js';

const orders = {
  ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'Database', metadata: { name: 'orders', namespace: 'shop' } },
  spec: withDefaults(databaseSpec, { storage: { size: '1Gi' }, deletionPolicy: 'Delete' }),
};
let operator: GivenOperator;

beforeEach(async () => {
  const ports = portsOf(database, [drawing, listening], () => 0);
  operator = await new GivenOperator({ controllers: [database as unknown as Controller], ports }).start();
  await operator.given(databaseKind, orders);
  await operator.clock.advance(2_000);
});
afterEach(() => operator.close());

const named = (name: string) => ({ namespace: 'shop', name });
const textsIn = async (name: string) => {
  const { data = {} } = (await operator.memory.read(Secret, named(name))) as LiveSecret;
  return Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]));
};

/** Edits a Secret as a user does. @param edits what its keys hold then; undefined removes one */
async function edit(name: string, edits: Readonly<Record<string, string | Buffer | undefined>>): Promise<void> {
  const patch = Object.entries(edits).map(([key, text]) =>
    text === undefined
      ? ({ op: 'remove', path: `/data/${key}` } as const)
      : ({ op: 'add', path: `/data/${key}`, value: Buffer.from(text).toString('base64') } as const),
  );
  await operator.memory.patch(Secret, named(name), patch, { manager: 'kubectl-edit' });
  operator.memory.forgetWrites();
  await operator.clock.advance(2_000);
}

const uri = (password: string) => `postgresql://app:${password}@orders-rw.shop.svc:5432/app?sslmode=require`;

test.each<{ is: string; secret: string; edits: Parameters<typeof edit>[1]; becomes: object }>([
  ...[undefined, '', 'a\nb', Buffer.from([0xff, 0xfe])].map((password) => ({
    is: `has a password that is ${JSON.stringify(password?.toString())}`,
    secret: 'orders-superuser',
    edits: { password },
    becomes: { username: 'postgres', password: 'super' },
  })),
  {
    is: 'names another superuser',
    secret: 'orders-superuser',
    edits: { username: 'root' },
    becomes: { username: 'postgres', password: 'super' },
  },
  {
    is: 'lacks one of two passwords',
    secret: 'orders-internal',
    edits: { 'rewind-password': undefined, 'replication-password': 'edited' },
    becomes: { 'replication-password': 'edited', 'rewind-password': 'rewind' },
  },
  {
    is: 'has no password for applications',
    secret: 'orders-app',
    edits: { password: undefined },
    becomes: { password: 'application', uri: uri('application'), user: 'app' },
  },
  {
    is: 'has a new password beside a URI with the old one',
    secret: 'orders-app',
    edits: { password: 'a/b' },
    becomes: { password: 'a/b', uri: uri('a%2Fb') },
  },
  {
    is: 'has another password in its URI alone',
    secret: 'orders-app',
    edits: { uri: `${uri('other')}&connect_timeout=5` },
    becomes: { password: 'application', uri: `${uri('application')}&connect_timeout=5` },
  },
  {
    is: 'has a password in its URI that is not escaped',
    secret: 'orders-app',
    edits: { password: 'p@ss', uri: `${uri('p@ss')}&application_name=a@b` },
    becomes: { password: 'p@ss', uri: `${uri('p%40ss')}&application_name=a@b` },
  },
  {
    is: 'has a URI without a password',
    secret: 'orders-app',
    edits: { uri: 'postgresql://pool', password: 'edited', dbname: undefined },
    becomes: { uri: 'postgresql://pool', password: 'edited' },
  },
  {
    is: 'does not trust the authority',
    secret: 'orders-app',
    edits: { 'ca.crt': 'STALE' },
    becomes: { 'ca.crt': 'AUTHORITY' },
  },
  {
    is: 'lacks a key',
    secret: 'orders-tls',
    edits: { 'tls.key': undefined },
    becomes: { 'tls.key': 'SERVER KEY', 'tls.crt': 'SERVER', 'ca.crt': 'AUTHORITY' },
  },
])('line 18: a Secret $secret that $is becomes one that somebody can use', async ({ secret, edits, becomes }) => {
  const before = await textsIn(secret);
  await edit(secret, edits);
  const kept = Object.keys(edits).filter((key) => edits[key] === undefined && !(key in becomes));
  const untouched = Object.entries(before).filter(([key]) => !kept.includes(key));
  expect(await textsIn(secret)).toEqual({ ...Object.fromEntries(untouched), ...becomes });
  operator.memory.forgetWrites();
  await operator.clock.advance(60_000);
  expect(operator.writes.filter((write) => write.includes('Secret'))).toEqual([]);
});

test.each(['orders-superuser', 'orders-app', 'orders-internal', 'orders-tls'])(
  'line 18: a Secret %s that is deleted is there again, and no other is touched',
  async (secret) => {
    const { metadata } = (await operator.memory.read(Secret, named(secret))) as LiveSecret;
    operator.memory.forgetWrites();
    await operator.memory.remove(Secret, named(secret), { uid: metadata.uid });
    await operator.clock.advance(2_000);
    expect(await textsIn(secret)).not.toEqual({});
    const touched = operator.writes.filter((write) => write.includes('Secret') && !write.includes(secret));
    expect(touched).toEqual([]);
  },
);
