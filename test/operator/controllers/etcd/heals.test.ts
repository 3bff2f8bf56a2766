import { afterEach, describe, expect, test } from 'vitest';
import { certificateKind, issuerKind } from '../../../../imports/index.js';
import { PersistentVolumeClaim, Pod, Service } from '../../../../operator/index.js';
import { EtcdWorld } from './given-world.js';

/** Three members that serve. In each test, etcd has a quorum all the time, and no acknowledged write is lost. */
const whole = {
  ...{ ready: '3/3', isReady: true, status: 'store-1 store-2 store-3', voters: 'store-1 store-2 store-3' },
  ...{ pods: 'store-1 store-2 store-3', retired: '', violations: [] },
};
/** The last one was replaced. */
const replaced = {
  ...{ ...whole, status: 'store-1 store-2 store-4', voters: 'store-1 store-2 store-4' },
  ...{ pods: 'store-1 store-2 store-4', retired: 'store-3' },
};

/** Seconds of `spec.replaceAfter`. */
const replaceAfter = 300;

let world: EtcdWorld;
afterEach(() => world.close());

const volumeOf = (member: string) => world.claims.find(({ metadata }) => metadata.name === member)?.metadata.uid;

test('three members form a cluster', async () => {
  world = await new EtcdWorld().start();
  expect(world.summary).toEqual(whole);
  expect(world.mostVoters).toBe(3);
});

describe.each(['store-1', 'store-3'])('the member %s', (member) => {
  test('comes back on its volume when its Pod is deleted', async () => {
    world = await new EtcdWorld().start();
    const volume = volumeOf(member);
    await world.remove(Pod, member);
    await world.pass();
    expect(world.summary).toEqual(whole);
    expect(volumeOf(member)).toBe(volume);
  });

  test('is another member of etcd when its volume is deleted with its Pod', async () => {
    world = await new EtcdWorld().start();
    const before = world.etcd.voters.find(({ name }) => name === member)?.id;
    await world.remove(PersistentVolumeClaim, member);
    await world.remove(Pod, member);
    await world.pass();
    const names = member === 'store-3' ? ['store-1', 'store-2', 'store-3'] : ['store-2', 'store-3', 'store-4'];
    const all = names.join(' ');
    expect(world.summary).toEqual({ ...whole, status: all, voters: all, pods: all });
    expect(world.etcd.voters.map(({ id }) => id)).not.toContain(before);
    expect(world.mostVoters).toBe(3);
  });
});

describe('a node', () => {
  test('keeps its member while it is not ready, and its member serves when it is back', async () => {
    world = await new EtcdWorld().start();
    const node = world.nodeOf('store-3');
    await world.setNode(node, false);
    await world.pass(1_200);
    expect(world.summary).toEqual({ ...whole, ready: '2/3', isReady: false });
    await world.setNode(node, true);
    await world.pass();
    expect(world.summary).toEqual(whole);
  });

  test('that is deleted keeps its member for spec.replaceAfter', async () => {
    world = await new EtcdWorld().start();
    const node = world.nodeOf('store-3');
    await world.setNode(node, false);
    await world.deleteNode(node);
    await world.pass(replaceAfter - 30);
    expect(world.summary).toEqual({ ...whole, ready: '2/3', isReady: false });
    await world.addNode(node);
    await world.pass();
    expect(world.summary).toEqual(whole);
  });

  test.each(['store-3', 'store-1'])(
    'that is deleted for good has its member %s replaced, and the volume is kept',
    async (member) => {
      world = await new EtcdWorld().start();
      const volume = volumeOf(member);
      const node = world.nodeOf(member);
      await world.setNode(node, false);
      await world.deleteNode(node);
      await world.pass(replaceAfter + 60);
      await world.pass();
      const names = ['store-1', 'store-2', 'store-3', 'store-4'].filter((name) => name !== member).join(' ');
      expect(world.summary).toEqual({ ...replaced, status: names, voters: names, pods: names, retired: member });
      expect(volumeOf(member)).toBe(volume);
      expect([world.mostVoters, world.mostDown]).toEqual([3, 1]);
    },
  );

  test('that is deleted for good beside a second one has its member replaced too', async () => {
    world = await new EtcdWorld().start({ replicas: 5 });
    await world.addNode('node-7');
    for (const member of ['store-2', 'store-5']) await world.deleteNode(world.nodeOf(member));
    await world.pass(replaceAfter + 60);
    await world.pass();
    const names = 'store-1 store-3 store-4 store-6 store-7';
    expect(world.summary).toEqual({
      ...{ ...whole, ready: '5/5', status: names, voters: names, pods: names },
      retired: 'store-2 store-5',
    });
  });

  test('that is deleted for good beside a second one of three leaves no quorum, and nothing is given up', async () => {
    world = await new EtcdWorld().start();
    world.mayLoseQuorum = true;
    for (const member of ['store-2', 'store-3']) await world.deleteNode(world.nodeOf(member));
    await world.pass(1_200);
    expect(world.summary).toEqual({ ...whole, ready: '0/3', isReady: false });
    await world.addNode('node-2');
    await world.addNode('node-3');
    await world.pass();
    expect(world.summary).toEqual(whole);
  });
});

test('a member that another user has removed is replaced, and its volume is kept', async () => {
  world = await new EtcdWorld().start();
  world.etcd.remove('store-3');
  await world.pass();
  expect(world.summary).toEqual(replaced);
});

test('a change of the Pods replaces one member at a time, and the leader last', async () => {
  world = await new EtcdWorld().start();
  const { leader } = world.etcd;
  const before = new Map(world.pods.map(({ metadata }) => [metadata.name, metadata.uid]));
  await world.apply({ podTemplate: { labels: { team: 'search' } } });
  const order: string[] = [];
  for (let seconds = 0; seconds < 300; seconds++) {
    await world.pass(1);
    for (const { metadata } of world.pods)
      if (metadata.uid !== before.get(metadata.name) && !order.includes(metadata.name)) order.push(metadata.name);
  }
  expect(order.at(-1)).toBe(leader);
  expect(order).toHaveLength(3);
  expect(world.summary).toEqual(whole);
  expect(world.mostDown).toBe(1);
});

test('objects that are deleted by hand come back, and members run on', async () => {
  world = await new EtcdWorld().start();
  const pods = world.pods.map(({ metadata }) => metadata.uid);
  await world.remove(Service, 'store-peers');
  await world.remove(issuerKind, 'store-ca');
  await world.remove(certificateKind, 'store-member-tls');
  await world.pass();
  const kinds = [Service, issuerKind, certificateKind].map((kind) => world.memory.peek(kind).size);
  expect(kinds).toEqual([2, 1, 3]);
  expect(world.pods.map(({ metadata }) => metadata.uid)).toEqual(pods);
  expect(world.summary).toEqual(whole);
});

describe('volumes', () => {
  test('stay when the EtcdCluster is deleted, and a later one of the same name serves their data', async () => {
    world = await new EtcdWorld().start();
    const volumes = ['store-1', 'store-2', 'store-3'].map(volumeOf);
    const { acknowledged } = world.etcd;
    world.mayLoseQuorum = true;
    await world.remove(world.kind, 'store');
    await world.pass();
    expect([world.resource, world.pods.length, world.claims.length]).toEqual([undefined, 0, 3]);
    await world.apply({});
    await world.pass();
    expect(world.summary).toEqual(whole);
    expect(['store-1', 'store-2', 'store-3'].map(volumeOf)).toEqual(volumes);
    expect(world.etcd.acknowledged).toBeGreaterThan(acknowledged);
  });

  test('of which one is missing later are completed with a new member', async () => {
    world = await new EtcdWorld().start();
    world.mayLoseQuorum = true;
    await world.remove(world.kind, 'store');
    await world.pass();
    await world.remove(PersistentVolumeClaim, 'store-2');
    await world.apply({});
    await world.pass();
    const names = 'store-1 store-3 store-4';
    expect(world.summary).toEqual({ ...whole, status: names, voters: names, pods: names });
  });

  test('are deleted with the EtcdCluster by deletionPolicy Delete', async () => {
    world = await new EtcdWorld().start({ deletionPolicy: 'Delete' });
    world.mayLoseQuorum = true;
    await world.remove(world.kind, 'store');
    await world.pass();
    expect([world.resource, world.pods.length, world.claims.length]).toEqual([undefined, 0, 0]);
  });

  test('that all were deleted are not replaced by empty ones', async () => {
    world = await new EtcdWorld().start();
    world.mayLoseQuorum = true;
    for (const member of ['store-1', 'store-2', 'store-3']) {
      await world.remove(PersistentVolumeClaim, member);
      await world.remove(Pod, member);
    }
    await world.pass();
    expect([world.pods.length, world.claims.length, world.summary.isReady]).toEqual([0, 0, false]);
  });
});
