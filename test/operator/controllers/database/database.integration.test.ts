import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKind } from '../../../../imports/index.js';
import { PersistentVolumeClaim, Pod, Secret } from '../../../../operator/runtime/kubernetes/kinds.js';
import { RealDatabase } from './given-real-database.js';

let world: RealDatabase;
beforeAll(async () => {
  world = await RealDatabase.start();
}, 300_000);
afterAll(async () => {
  await world?.stop();
});

describe('on the real API server, under the rights that the controller derives', () => {
  const pods = () => world.names(Pod);
  const claims = () => world.names(PersistentVolumeClaim);
  const ready = async () => (await world.read(databaseKind, 'orders'))?.['status']?.ready;

  it('lines 1, 3: one instance comes after the other, and one goes: its pod, then its claim', async () => {
    await world.given({ deletionPolicy: 'Delete' });
    await world.until(pods, ['orders-1']);
    expect(await world.names(Secret)).toEqual([
      'orders-app',
      'orders-ca',
      'orders-internal',
      'orders-superuser',
      'orders-tls',
    ]);
    await world.runs('orders-1', 'master');
    await world.until(pods, ['orders-1', 'orders-2']);
    await world.runs('orders-2', 'replica');
    await world.until(pods, ['orders-1', 'orders-2', 'orders-3']);
    await world.runs('orders-3', 'replica');
    await world.until(ready, '3/3');

    await world.given({ deletionPolicy: 'Delete', replicas: 2 }, false);
    await world.until(pods, ['orders-1', 'orders-2']);
    await world.until(claims, ['orders-1', 'orders-2']);
    await world.until(ready, '2/2');
  }, 300_000);
});
