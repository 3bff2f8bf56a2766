import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ConfigMap, PersistentVolumeClaim, Pod } from '../../../../../operator/runtime/kubernetes/kinds.js';
import { RealBackups } from './given-real-backups.js';

const backup = { target: { volume: {} } };
const skip = 'reconstruct.dev/skip-final-snapshot=true';

let world: RealBackups;
beforeAll(async () => {
  world = await RealBackups.start();
}, 300_000);
afterAll(async () => {
  await world?.stop();
});

describe('on the real API server, under the rights that the controllers derive', () => {
  beforeEach(() => world.given({ backup }));
  const isThere = async () => (await world.database()) !== undefined;
  const archive = async () => (await world.read(PersistentVolumeClaim, 'orders-repo'))?.metadata.uid;

  it('line 6: a first backup is made at once, verified, and told', async () => {
    await world.until(() => world.condition('Verified'), 'True RestoreSucceeded');
    expect(await world.condition('BackedUp')).toBe('True OnSchedule');
    expect(await world.backups()).toEqual(['Schedule Verified']);
    expect((await world.database())?.status?.backup).toMatchObject({ lastVerified: world.finished });
    const { items } = await world.cluster.list(Pod, {
      namespace: world.namespace,
      labelSelector: 'reconstruct.dev/backup',
    });
    expect(items).toEqual([]);
  }, 300_000);

  it('line 8: in the foreground too, it goes when its last backup is good, and leaves what holds it', async () => {
    await world.until(() => world.backups(), ['Schedule Verified']);
    world.results = {};
    const before = await archive();
    await world.kubectl('delete', 'database', 'orders', '--cascade=foreground', '--wait=false');
    await world.until(() => world.backups(), ['Schedule Verified', 'Snapshot Running']);
    await world.until(() => world.condition('Deletable'), 'Unknown SnapshotRunning');
    world.works();
    await world.until(isThere, false);
    expect(await world.backups()).toEqual(['Schedule Verified', 'Snapshot Verified']);
    expect(await archive()).toBe(before);
    expect([await world.read(Pod, 'orders-repo'), await world.read(ConfigMap, 'orders-repo')]).toEqual([
      undefined,
      undefined,
    ]);

    await world.again({ backup });
    await world.until(async () => (await world.read(Pod, 'orders-repo')) !== undefined, true);
    expect(await archive()).toBe(before);
    expect(await world.condition('Ready')).not.toBe('False NotOwned');
  }, 300_000);

  it('line 8: it stays while its last backup fails, says why, and goes at once when a person gives that up', async () => {
    await world.until(() => world.backups(), ['Schedule Verified']);
    world.fails();
    await world.kubectl('delete', 'database', 'orders', '--wait=false');
    await world.until(async () => (await world.database())?.status?.snapshot?.problem, 'no route to the archive');
    await world.until(() => world.condition('Deletable'), 'Unknown SnapshotRunning');
    await world.kubectl('annotate', 'database', 'orders', skip);
    await world.until(isThere, false);
    expect(await archive()).toBeDefined();
  }, 300_000);

  it('line 8: in a namespace that is deleted it says that nothing can be saved, and goes when a person gives that up', async () => {
    await world.until(() => world.backups(), ['Schedule Verified']);
    await world.kubectl('delete', 'namespace', world.namespace, '--wait=false');
    await world.until(() => world.condition('Deletable'), 'False NamespaceTerminating');
    await world.kubectl('annotate', 'database', 'orders', skip);
    await world.until(isThere, false);
  }, 300_000);

  it('line 8: with Delete all goes', async () => {
    await world.kubectl('patch', 'database', 'orders', '--type=merge', '-p', '{"spec":{"deletionPolicy":"Delete"}}');
    await world.until(() => world.backups(), ['Schedule Verified']);
    await world.kubectl('delete', 'database', 'orders', '--wait=false');
    await world.until(isThere, false);
    await world.until(() => world.backups(), []);
    // The controller that protects claims lets go of it when no pod uses it.
    await world.until(archive, undefined);
  }, 300_000);
});
