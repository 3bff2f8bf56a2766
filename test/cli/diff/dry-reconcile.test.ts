import { describe, expect, test } from 'vitest';
import { allBeside } from '../../../cli/controllers/resource-controllers.js';
import { differencesOf } from '../../../cli/diff/differences.js';
import { existing, proposed } from '../../../cli/diff/proposal.js';
import { algorithm } from '../../../operator/controllers/algorithm/index.js';
import { controllers } from '../../../operator/controllers/index.js';
import type { Controller } from '../../../operator/runtime/controller/controller.js';
import { ApiError } from '../../../operator/runtime/kubernetes/errors.js';
import { ClusterRole, ConfigMap, groupKindOf, Namespace } from '../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../operator/runtime/kubernetes/object.js';
import { finalizerOf } from '../../../operator/runtime/kubernetes/well-known-names.js';
import { inventoryAnnotation } from '../../../operator/runtime/ownership/inventory.js';
import type { Cluster } from '../../../operator/runtime/ports/cluster.js';
import { ExternalCall } from '../../../operator/runtime/rendering/external-call.js';
import { Trial } from '../../../operator/testing/contract/trial/trial.js';
import { MemoryCluster } from '../../../operator/testing/index.js';
import { configMap } from '../../given.js';
import { givenAlgorithm } from '../../operator/controllers/algorithm/trial/given-algorithm.js';
import { lifecycle, type World } from '../../operator/controllers/algorithm/trial/given-world.js';
import { bound } from '../../operator/runtime/given/house.js';
import { label, namespace, namespaceController } from '../../operator/runtime/given/namespaces.js';
import { gatherer, gathererController, gathererKind } from '../../operator/runtime/given/pollers.js';
import { reachingController } from '../../operator/runtime/given/reach.js';
import { dns } from '../../operator/runtime/given/records.js';
import { type WidgetSpec, widget, widgetController, widgetKind } from '../../operator/runtime/given/widgets.js';

const given = givenAlgorithm(30);
const spec = (image: string) => ({ image, replicas: 4, lifecycle });

/** The changes to an Algorithm by its controllers, and the notes. */
async function diff({ memory, resource }: World, file?: Manifest, cluster: Cluster = memory) {
  memory.forgetWrites();
  const planned = await (file
    ? proposed(algorithm, file, cluster)
    : existing(algorithm, resource.metadata as never, cluster));
  const { changes, notes } = await differencesOf(allBeside(algorithm, controllers), planned, cluster);
  expect(memory.writes).toEqual([]);
  return { does: changes.map(({ action, object }) => `${action} ${object.kind} ${object.metadata.name}`), notes };
}

/** With the stable version's route in place, and its clients. */
const running = async () => {
  const world = await given(spec('reco:1'));
  await world.pass(60);
  return world;
};

describe('of a controller that calls', () => {
  const port = dns;
  const blind: Controller['desire'] = (scope, { resource: { metadata } }) => {
    new ExternalCall(scope, 'address', { port, request: { name: metadata.name, address: '1' }, refreshes: ['found'] });
  };
  const sent = 'ExternalCall: would send address of dns: {"name":"shop","address":"1"}';
  const unknown =
    'NotKnown: the changes of controller namespace are unknown: they depend on dns, which only the running operator polls';

  test.each<{ when: string; controller: Controller; labels: object; notes: readonly string[] }>([
    {
      when: 'no answer decides',
      controller: { ...namespaceController(), desire: blind },
      labels: { [label]: '1' },
      notes: [sent],
    },
    { when: 'an answer decides', controller: namespaceController(), labels: { [label]: '1' }, notes: [unknown] },
    {
      when: 'the resource is not selected',
      controller: { ...namespaceController(), desire: blind },
      labels: {},
      notes: [],
    },
  ])('R36 the calls are notes, and nothing is sent, when $when', async ({ controller, labels, notes }) => {
    const memory = new MemoryCluster();
    await memory.apply(Namespace, namespace(labels as never), { manager: 'somebody' });
    memory.forgetWrites();
    const planned = await existing(controller, { name: 'shop' }, memory);
    expect((await differencesOf([controller], planned, memory)).notes).toEqual(notes);
    expect(memory.writes).toEqual([]);
  });

  test('a rejection is a note, although no status holds it', async () => {
    const memory = new MemoryCluster();
    await memory.apply(Namespace, namespace({ [label]: 'none' }), { manager: 'somebody' });
    const controller = { ...namespaceController(), polls: {}, calls: [] };
    const planned = await existing(controller, { name: 'shop' }, memory);
    const { notes } = await differencesOf([controller], planned, memory);
    expect(notes).toEqual([expect.stringMatching(/^NoAddress: labels: Invalid value: "none"/)]);
  });
});

describe('of an Algorithm with a lifecycle', () => {
  test('nothing changes while its version is the stable one', async () => {
    expect(await diff(await running())).toEqual({ does: [], notes: [] });
  });

  test('nothing changes in the middle of a trial, neither of the stable side nor of the other', async () => {
    const world = await running();
    await world.apply(spec('reco:2'));
    await world.pass(120, () => world.status['trial']?.weight === 20);
    expect(world.imageOf('trial')).toBe('reco:2');
    expect(await diff(world)).toEqual({ does: [], notes: [] });
    const { memory } = world;
    const oneByOne: Cluster = { ...bound(memory), list: (kind, query) => memory.list(kind, { ...query, limit: 1 }) };
    expect(await diff(world, undefined, oneByOne), 'in pages of one object').toEqual({ does: [], notes: [] });
  });

  test('a version in a file is on trial first: all that is made is a memory of it', async () => {
    const world = await running();
    const { spec: present, apiVersion, kind } = world.resource;
    const file = {
      apiVersion,
      kind,
      metadata: { name: 'reco', namespace: 'team' },
      spec: { ...present, image: 'reco:2' },
    };
    const { does, notes } = await diff(world, file);
    expect({ does, notes }).toEqual({ does: [expect.stringMatching(/^create ControllerRevision reco-/)], notes: [] });
  });

  test('what a trial that is over would lose goes by what proxies tell, so it is not guessed', async () => {
    const world = await running();
    await world.apply(spec('reco:2'));
    await world.pass(120, () => world.status['trial']?.weight === 20);
    const annotations = { 'ai.alien6.io/trial': `abort ${world.status['trial'].id}` };
    world.isDeaf = true;
    await world.apply(spec('reco:2'), { annotations });
    await world.pass(20);
    expect(await diff(world)).toEqual({
      does: [],
      notes: [
        'NotKnown: the changes of controller trial are unknown: they depend on reconstruct/numbers, which only the running operator polls',
      ],
    });
  });

  test('a right that is missing to look at what its trials take is told', async () => {
    const world = await running();
    const limited: Cluster = {
      ...bound(world.memory),
      list: (kind, query) => {
        if (kind.group !== 'gateway.networking.k8s.io') return world.memory.list(kind, query);
        throw new ApiError(`${kind.plural} are forbidden`, { code: 403, reason: 'Forbidden' });
      },
    };
    const { does, notes } = await diff(world, undefined, limited);
    expect(does).toEqual([]);
    expect(notes).toEqual([
      expect.stringMatching(/^NotKnown: the changes of controller trial are unknown: .* are forbidden$/),
    ]);
  });

  test('a cluster without the Gateway API is no trouble', async () => {
    const world = await given(spec('reco:1'), { hasGatewayApi: false, hasGateway: false });
    const lacking: Cluster = {
      ...bound(world.memory),
      list: (kind, query) => {
        if (kind.group !== 'gateway.networking.k8s.io') return world.memory.list(kind, query);
        throw new ApiError('it is not served', { code: 404, reason: 'NotFound' });
      },
    };
    expect(await diff(world, undefined, lacking)).toEqual({ does: [], notes: [] });
  });

  test('what trials had made goes with the lifecycle', async () => {
    const world = await running();
    const { apiVersion, kind } = world.resource;
    const file = {
      apiVersion,
      kind,
      metadata: { name: 'reco', namespace: 'team' },
      spec: { image: 'reco:1', replicas: 4 },
    };
    const { does } = await diff(world, file as Manifest);
    expect(does).toContainEqual(expect.stringMatching(/^delete ControllerRevision reco-/));
    expect(does).not.toContain('delete Deployment reco');
  });
});

describe('of a controller that asks outside of the API server', () => {
  const told = async (question?: string) => {
    const memory = new MemoryCluster();
    const resource = gatherer('web', question === undefined ? {} : { question });
    await memory.apply(gathererKind, resource, { manager: 'somebody' });
    await new Trial(gathererController, memory).rest(resource);
    await memory.apply(gathererKind, gatherer('web', { ...(question !== undefined && { question }), label: 'new' }), {
      manager: 'somebody',
    });
    const planned = await existing(gathererController, { name: 'web', namespace: 'team' }, memory);
    const { changes, notes, known } = await differencesOf([gathererController], planned, memory);
    return { does: changes.map(({ action }) => action), notes, known };
  };

  test('all is told while it asks nothing', async () => {
    expect(await told()).toEqual({ does: ['update'], notes: [], known: true });
  });

  test('nothing is guessed while it asks', async () => {
    expect(await told('why')).toEqual({
      does: [],
      notes: [
        'NotKnown: the changes of controller gatherer are unknown: they depend on oracle, which only the running operator polls',
      ],
      known: false,
    });
  });
});

describe('of a resource whose status says it already', () => {
  const at = { name: 'web', namespace: 'team' };

  test.each([
    { note: 'NotPossible: no', when: 'its spec is rejected', spec: { rejected: 'no' }, is: 'rejected' },
    { note: /^NotOwned: /, when: 'somebody else has the name of an object', spec: {}, is: 'blocked' },
  ])('$note is told, since $when', async ({ note, spec, is }) => {
    const memory = new MemoryCluster();
    const controller = widgetController();
    const resource = widget('web', { maps: { a: { size: '1' } }, ...spec });
    await memory.apply(ConfigMap, configMap('web-a', { data: { size: '9' } }), { manager: 'somebody' });
    await memory.apply(widgetKind, resource, { manager: 'somebody' });
    await new Trial(controller, memory).pass(resource);
    const found = await differencesOf([controller], await existing(controller, at, memory), memory);
    const expected = { rejected: is === 'rejected', blocked: is === 'blocked' };
    expect(found).toMatchObject({ changes: [], notes: [expect.stringMatching(note)], ...expected });
  });
});

test('what its status says of an older spec is not told of one that is going', async () => {
  const memory = new MemoryCluster();
  const controller = widgetController();
  const held = (spec: WidgetSpec) => {
    const { metadata, ...rest } = widget('web', spec);
    return { ...rest, metadata: { ...metadata, finalizers: ['example.org/theirs'] } };
  };
  await memory.apply(widgetKind, held({ rejected: 'no' }), { manager: 'somebody' });
  await new Trial(controller, memory).pass(held({}));
  await memory.apply(widgetKind, held({ maps: {} }), { manager: 'somebody' });
  const at = { name: 'web', namespace: 'team' };
  const { uid = '' } = (await memory.read(widgetKind, at))?.metadata ?? {};
  await memory.remove(widgetKind, at, { uid });
  const found = await differencesOf([controller], await existing(controller, at, memory), memory);
  expect(found).toMatchObject({ changes: [], notes: [], rejected: false, blocked: false });
});

test('what an inventory lists is looked for whole, however long it is', async () => {
  const memory = new MemoryCluster();
  const controller = reachingController();
  const gone = Array.from({ length: 1_000 }, (_, n) => `n${n}`);
  const annotations = { [inventoryAnnotation]: JSON.stringify({ [groupKindOf(ClusterRole)]: gone }) };
  const resource = widget('web', { roles: ['c'] } as object, { annotations });
  await memory.apply(widgetKind, resource, { manager: 'somebody' });
  const planned = await existing(controller, { name: 'web', namespace: 'team' }, memory);
  const { changes } = await differencesOf([controller], planned, memory);
  const does = changes.map(({ action, object }) => `${action} ${object.kind} ${object.metadata.name}`);
  expect(does).toEqual(['create ClusterRole c', 'create Secret web-near', 'update Widget web']);
  expect(changes.at(-1)?.after?.['metadata']).toMatchObject({
    finalizers: [finalizerOf(controller.name)],
    annotations: { [inventoryAnnotation]: JSON.stringify({ [groupKindOf(ClusterRole)]: ['c'] }) },
  });
  await new Trial(controller, memory).rest(resource);
});

test('of which controller fails, and for what, is told', async () => {
  const memory = new MemoryCluster();
  const controller = widgetController({
    desire: () => {
      throw new Error('boom');
    },
  });
  await memory.apply(widgetKind, widget('web'), { manager: 'somebody' });
  const planned = await existing(controller, { name: 'web', namespace: 'team' }, memory);
  await expect(differencesOf([controller], planned, memory)).rejects.toThrow(
    'controller widget failed for Widget team/web: desire of controller widget failed: boom',
  );
});

describe('on a cluster that does not serve the kind', () => {
  const missing = () => Promise.reject(new ApiError('404 page not found', { code: 404, reason: 'NotFound' }));
  const lacking: Cluster = { ...bound(new MemoryCluster()), read: missing };
  const controller = widgetController();
  const says =
    'the API server does not serve Widget.example.org as example.org/v1; apply the CRD widgets.example.org first';

  test.each([
    { what: 'a name', planned: () => existing(controller, { name: 'web', namespace: 'team' }, lacking) },
    { what: 'a file', planned: () => proposed(controller, widget('web'), lacking) },
  ])('$what is answered with that', async ({ planned }) => {
    await expect(planned()).rejects.toThrow(says);
  });
});
