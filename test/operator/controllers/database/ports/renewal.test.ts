import { afterEach, beforeEach, expect, test } from 'vitest';
import { databaseSpec, withDefaults } from '../../../../../crds/index.js';
import { databaseKind } from '../../../../../imports/index.js';
import { database } from '../../../../../operator/controllers/database/index.js';
import { type Certified, credentials } from '../../../../../operator/controllers/database/ports/credentials.js';
import { type Controller, type LiveSecret, Secret } from '../../../../../operator/runtime/index.js';
import { portsOf } from '../../../../../operator/testing/contract/trial/answers.js';
import { fakeSource } from '../../../../../operator/testing/index.js';
import { GivenOperator } from '../../../runtime/given/operator.js';
import { drawn, listening } from '../given-answers.js';

const orders = {
  ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'Database', metadata: { name: 'orders', namespace: 'shop' } },
  spec: withDefaults(databaseSpec, { storage: { size: '1Gi' }, deletionPolicy: 'Delete' }),
};
const hour = 3_600_000;
/** What is renewed of what is known; undefined while nothing is due. */
let due: Partial<Certified> | undefined;
let shown: (Certified | undefined)[];
let operator: GivenOperator;

const renewing = fakeSource(credentials, ({ certificate: { known } }) => {
  shown.push(known);
  const certified = known ? due && { ...known, ...due } : drawn.certified;
  due = undefined;
  return { passwords: drawn.passwords, ...(certified && { certified }) };
});

beforeEach(async () => {
  [due, shown] = [undefined, []];
  const ports = portsOf(database, [renewing, listening], () => 0);
  operator = await new GivenOperator({ controllers: [database as unknown as Controller], ports }).start();
  await operator.given(databaseKind, orders);
  await operator.clock.advance(2_000);
});
afterEach(() => operator.close());

const secret = async (name: string) => {
  const { data = {}, metadata } = (await operator.memory.read(Secret, { namespace: 'shop', name })) as LiveSecret;
  const texts = Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]);
  return { texts: Object.fromEntries(texts), version: metadata.resourceVersion };
};
const writesOf = async (renewal: Partial<Certified> | undefined) => {
  operator.memory.forgetWrites();
  due = renewal;
  // Without the thousands of reconciles of that hour.
  operator.clock.freeze(hour);
  await operator.clock.advance(10_000);
  return operator.writes.filter((write) => /^apply Secret/.test(write));
};

test('a certificate that is due takes the place of the one before, and nothing else is written', async () => {
  expect(shown.at(-1)).toEqual(drawn.certified);
  expect(await writesOf({ server: { certificate: 'SERVER 2', key: 'KEY 2' } })).toEqual([
    'apply Secret shop/orders-tls',
  ]);
  expect((await secret('orders-tls')).texts).toEqual({
    'ca.crt': 'AUTHORITY',
    'tls.crt': 'SERVER 2',
    'tls.key': 'KEY 2',
  });
  await operator.clock.advance(2_000);
  expect(shown.at(-1)?.server).toEqual({ certificate: 'SERVER 2', key: 'KEY 2' });
});

test('a new authority is kept and told to applications before the instances believe it: until then it is done again', async () => {
  const authority = { certificate: 'AUTHORITY 2', key: 'AUTHORITY KEY 2' };
  const writes = await writesOf({ authority, trusted: 'AUTHORITY 2, AUTHORITY' });
  expect(writes.toSorted()).toEqual(
    ['orders-app', 'orders-ca', 'orders-tls'].map((name) => `apply Secret shop/${name}`),
  );
  expect(writes.at(-1)).toBe('apply Secret shop/orders-tls');
  expect((await secret('orders-ca')).texts).toEqual({ 'tls.crt': 'AUTHORITY 2', 'tls.key': 'AUTHORITY KEY 2' });
  expect((await secret('orders-tls')).texts).toMatchObject({ 'ca.crt': 'AUTHORITY 2, AUTHORITY', 'tls.crt': 'SERVER' });
  expect((await secret('orders-app')).texts).toMatchObject({
    'ca.crt': 'AUTHORITY 2, AUTHORITY',
    password: 'application',
  });
  await operator.clock.advance(2_000);
  expect(shown.at(-1)).toEqual({ ...drawn.certified, authority, trusted: 'AUTHORITY 2, AUTHORITY' });
});

test('what somebody writes into a Secret stays while nothing is due', async () => {
  const { texts } = await secret('orders-tls');
  const data = Object.fromEntries(Object.keys(texts).map((key) => [key, Buffer.from('THEIRS').toString('base64')]));
  const metadata = { name: 'orders-tls', namespace: 'shop' };
  await operator.given(Secret, { ...{ apiVersion: 'v1', kind: 'Secret', metadata }, ...{ data } });
  expect(await writesOf(undefined)).toEqual([]);
  expect((await secret('orders-tls')).texts).toMatchObject({ 'tls.crt': 'THEIRS' });
  expect(shown.at(-1)).toMatchObject({ server: { certificate: 'THEIRS', key: 'THEIRS' }, trusted: 'THEIRS' });
});

test('what somebody writes into the Secret of applications stays when a certificate is renewed', async () => {
  const data = { uri: Buffer.from('THEIRS').toString('base64') };
  const metadata = { name: 'orders-app', namespace: 'shop' };
  await operator.given(Secret, { ...{ apiVersion: 'v1', kind: 'Secret', metadata }, ...{ data } });
  await writesOf({ server: { certificate: 'SERVER 2', key: 'KEY 2' } });
  expect((await secret('orders-tls')).texts).toMatchObject({ 'tls.crt': 'SERVER 2' });
  expect((await secret('orders-app')).texts).toMatchObject({ uri: 'THEIRS', password: 'application' });
});

test('of the Secret of applications a renewal writes the authorities alone: what somebody changed, added or removed stays', async () => {
  const encoded = (text: string) => Buffer.from(text).toString('base64');
  const theirs = { password: 'changed', uri: 'postgresql://pool', added: 'theirs' };
  const set = Object.entries(theirs).map(([key, text]) => ({
    op: 'add' as const,
    path: `/data/${key}`,
    value: encoded(text),
  }));
  const patch = [...set, { op: 'remove' as const, path: '/data/dbname' }];
  await operator.memory.patch(Secret, { namespace: 'shop', name: 'orders-app' }, patch, { manager: 'somebody' });
  const { texts: before } = await secret('orders-app');
  const authority = { certificate: 'AUTHORITY 2', key: 'AUTHORITY KEY 2' };
  await writesOf({ authority, trusted: 'AUTHORITY 2, AUTHORITY' });
  expect((await secret('orders-app')).texts).toEqual({ ...before, 'ca.crt': 'AUTHORITY 2, AUTHORITY' });
  expect(before).toMatchObject(theirs);
});
