import { describe, expect, it } from 'vitest';
import { type AlgorithmSpecInput, algorithmKind, httpRouteKind } from '../../../../../imports/index.js';
import type { Loose } from '../../../../given.js';
import { givenAlgorithm } from './given-algorithm.js';
import { lifecycle, type World } from './given-world.js';

const host = 'reco.example.com';
const shared = { name: 'edge', namespace: 'infra' };
const first: AlgorithmSpecInput = { image: 'reco:1', lifecycle, host };
const given = givenAlgorithm(20);

interface Named {
  readonly name?: string;
  readonly namespace?: string;
}

/** What a client sees of the host of an Algorithm: whether its route answers for it, and what its condition says. */
function seenOf({ memory }: World, { name = 'reco', namespace = 'team' }: Named, of = host) {
  const key = `${namespace}/${name}`;
  const { status } = memory.peek(algorithmKind).get(key) as unknown as Loose;
  const condition = (type: string) => status.conditions.find((one: { type: string }) => one.type === type);
  const route = memory.peek(httpRouteKind).get(key) as unknown as Loose;
  const { reason, message } = condition('HostAccepted');
  return { answers: route['spec'].hostnames.includes(of), reason, message, ready: condition('Ready')?.reason };
}

const accepted = { answers: true, reason: 'Accepted' };
const takenBy = (holder: string, gateway: string, name = host) => ({
  ...{ answers: false, reason: 'HostTaken', ready: expect.stringMatching(/HostTaken|NoReadyReplica/) },
  message: `The older Algorithm ${holder} has the host ${name} on Gateway ${gateway}; choose another host or another Gateway`,
});

describe('line 9: a host that two Algorithms claim', () => {
  it.each<{ when: string; gateway?: typeof shared; other: Named; on: string }>([
    { when: 'in one namespace', other: { name: 'a' }, on: 'team/reconstruct-gateway' },
    { when: 'on a shared Gateway', gateway: shared, other: { namespace: 'a' }, on: 'infra/edge' },
  ])('is that of the older one $when, and the other one is told', async ({ gateway, other, on }) => {
    const spec = { ...first, ...(gateway && { gateway }) };
    const algorithm = await given(spec);
    await algorithm.apply(spec, other);
    await algorithm.pass(5);
    expect(seenOf(algorithm, {})).toMatchObject(accepted);
    expect(seenOf(algorithm, other)).toMatchObject(takenBy('team/reco', on));
  });

  it.each([
    { when: 'is deleted', leave: (algorithm: World) => algorithm.remove('reco') },
    { when: 'has another host', leave: (algorithm: World) => algorithm.apply({ ...first, host: 'other.example.com' }) },
    { when: 'has another Gateway', leave: (algorithm: World) => algorithm.apply({ ...first, gateway: shared }) },
  ])('goes to the newer one when the older one $when', async ({ leave }) => {
    const algorithm = await given(first);
    await algorithm.apply(first, { name: 'a' });
    await algorithm.pass(5);
    await leave(algorithm);
    await algorithm.pass(5);
    expect(seenOf(algorithm, { name: 'a' })).toMatchObject(accepted);
  });

  it('of the same second is that of the first one by namespace and name, whatever the order', async () => {
    const algorithm = await given({ image: 'reco:1', lifecycle });
    for (const name of ['c', 'b', 'd']) await algorithm.apply(first, { name });
    await algorithm.pass(5);
    expect(seenOf(algorithm, { name: 'b' })).toMatchObject(accepted);
    for (const name of ['c', 'd'])
      expect(seenOf(algorithm, { name })).toMatchObject(takenBy('team/b', 'team/reconstruct-gateway'));
  });

  it('stays with both on two Gateways', async () => {
    const algorithm = await given(first);
    await algorithm.apply(first, { namespace: 'other' });
    await algorithm.pass(5);
    expect(seenOf(algorithm, {})).toMatchObject(accepted);
    expect(seenOf(algorithm, { namespace: 'other' })).toMatchObject(accepted);
  });

  it.each<{ taken: string; when: string; gateway?: typeof shared; by: Named }>([
    { taken: 'reco', when: 'in one namespace', by: { name: 'a' } },
    { taken: 'reco.team', when: 'in one namespace', by: { name: 'a' } },
    { taken: 'reco.team', when: 'on a shared Gateway', gateway: shared, by: { namespace: 'a', name: 'a' } },
  ])(
    'stays with the Service of that name $when: $taken, though its Algorithm is newer',
    async ({ taken, gateway, by }) => {
      const spec = { image: 'reco:1', lifecycle, ...(gateway && { gateway }) };
      const algorithm = await given({ image: 'reco:1', lifecycle }, {});
      await algorithm.remove('reco');
      await algorithm.apply({ ...spec, host: taken }, by);
      await algorithm.pass(2);
      expect(seenOf(algorithm, by, taken)).toMatchObject(accepted);
      await algorithm.apply(spec);
      await algorithm.pass(5);
      const { answers, reason, message } = seenOf(algorithm, by, taken);
      expect({ answers, reason }).toEqual({ answers: false, reason: 'HostTaken' });
      expect(message).toContain(`${taken} is the name of the Service of Algorithm team/reco`);
    },
  );

  it('costs nothing at rest', async () => {
    const algorithm = await given(first);
    await algorithm.apply(first, { name: 'a' });
    await algorithm.pass(60);
    const versions = () =>
      [...algorithm.memory.peek(algorithmKind).values()].map((one) => one.metadata.resourceVersion);
    const before = versions();
    await algorithm.pass(120);
    expect(versions()).toEqual(before);
  });
});
