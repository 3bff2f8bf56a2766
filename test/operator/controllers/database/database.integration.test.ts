import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { databaseKind } from '../../../../imports/index.js';
import { PersistentVolumeClaim, Pod, Secret } from '../../../../operator/runtime/kubernetes/kinds.js';
import { conditionOf } from '../../runtime/given/widgets.js';
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

  it('of which a quota refuses a Pod says what its instances answer, and names the quota', async () => {
    const told = async (type: string) => {
      const found = conditionOf(await world.read(databaseKind, 'orders'), type);
      return `${found?.['status']} ${found?.['reason']}: ${found?.['message']}`;
    };
    await world.given({ deletionPolicy: 'Delete', replicas: 2 });
    await world.until(pods, ['orders-1']);
    await world.runs('orders-1', 'master');
    await world.until(pods, ['orders-1', 'orders-2']);
    await world.runs('orders-2', 'replica');
    await world.until(async () => (await told('Replicated')).split(':')[0], 'True Streaming');

    await world.limits({ pods: '1' });
    await world.loses('orders-2');
    await world.until(ready, '1/2');
    await world.until(() => told('Replicated'), 'False Degraded: 0 of 1 replicas follow orders-1; orders-2 does not');
    const refused =
      /pods "orders-2" is forbidden: exceeded quota: team, .*: raise pods of ResourceQuota team, .*; or lower spec\.replicas or spec\.resources, or change spec\.podTemplate$/;
    await vi.waitFor(
      async () => {
        expect(await told('Provisioned')).toMatch(/^False InstanceNotReady: orders-2 has no Pod: /);
        expect(await told('Provisioned')).toMatch(refused);
        expect(await told('Ready')).toMatch(/^False ApplyRejected: /);
        expect(await told('Ready')).toMatch(refused);
      },
      { timeout: 90_000, interval: 200 },
    );
    expect(await told('Available')).toBe('True Serving: The primary orders-1 accepts writes');

    await world.limits({ pods: '2' });
    // Without an event, the operator tries again within a minute.
    await world.given({ deletionPolicy: 'Retain', replicas: 2 }, false);
    await world.until(pods, ['orders-1', 'orders-2']);
    await world.runs('orders-2', 'replica');
    await world.until(ready, '2/2');
  }, 300_000);
});
