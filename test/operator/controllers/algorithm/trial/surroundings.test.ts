import { describe, expect, it } from 'vitest';
import { algorithmKind, gatewayKind } from '../../../../../imports/index.js';
import { ControllerRevision } from '../../../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../../../operator/runtime/kubernetes/object.js';
import { revisionName, type Version } from '../../../../../src/algorithm/revision.js';
import type { Loose } from '../../../../given.js';
import { givenAlgorithm } from './given-algorithm.js';
import { lifecycle } from './given-world.js';

const first = { image: 'reco:1', replicas: 5, lifecycle };
const second = { ...first, image: 'reco:2' };

const given = givenAlgorithm(30);
const atFirst = givenAlgorithm(0);

describe('an Algorithm with a lifecycle', () => {
  it.each([
    { what: 'no JSON', forge: () => 'steps' },
    { what: 'nothing', forge: () => 'null' },
    { what: 'too little', forge: () => '{"state":{"seenAt":1},"sentence":"it is good"}' },
    {
      what: 'a stage that is none',
      forge: ({ state, ...kept }: Loose) => ({ ...kept, state: { ...state, stage: 'done' } }),
    },
    {
      what: 'a time without an end',
      forge: (kept: Loose) => JSON.stringify(kept).replace(/"seenAt":\d+/, '"seenAt":1e999'),
    },
    {
      what: 'a histogram that is none',
      forge: ({ state, ...kept }: Loose) => ({
        ...kept,
        state: { ...state, sample: { trial: { drift: {} }, stable: {} } },
      }),
    },
    { what: 'variants that are none', forge: (kept: Loose) => ({ ...kept, variants: { b: null } }) },
  ])('line 11: a trial begins again when somebody writes $what as its state', async ({ forge }) => {
    const algorithm = await given(first);
    await algorithm.apply(second);
    await algorithm.pass(60, () => algorithm.status['trial']?.weight === 20);
    const { id, state } = algorithm.status['trial'];
    const forged = forge(JSON.parse(state));
    const value = typeof forged === 'string' ? forged : JSON.stringify(forged);
    const patch = [{ op: 'replace', path: '/status/trial/state', value }] as const;
    const by = { manager: 'somebody', subresource: 'status' } as const;
    await algorithm.memory.patch(algorithmKind, { name: 'reco', namespace: 'team' }, patch, by);
    await algorithm.pass(30);
    expect(algorithm.status['trial'].id).not.toBe(id);
    await algorithm.pass(120, () => algorithm.imageOf('stable') === 'reco:2');
    expect(algorithm.imageOf('stable')).toBe('reco:2');
  });

  it.each([{ spec: null }, { spec: 'text' }, { spec: [] }, { spec: {} }, { spec: 7 }, { spec: { image: 5 } }])(
    'what holds $spec is no version, whoever keeps it as one',
    async ({ spec }: { spec: unknown }) => {
      const algorithm = await given(first);
      const [kept] = (await algorithm.memory.list(ControllerRevision, {})).items;
      const name = revisionName('reco', (spec ?? {}) as Version);
      const { resourceVersion: _, uid: __, ...metadata } = { ...kept?.metadata, name };
      const forged = { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata, data: { spec }, revision: 1_000 };
      await algorithm.memory.create(ControllerRevision, forged as Manifest, { manager: 'somebody' });
      await algorithm.pass(10);
      expect(algorithm.condition('Ready')).toMatchObject({ status: 'True' });
      expect((await algorithm.memory.list(ControllerRevision, {})).items).toEqual([kept]);
    },
  );

  it('what makes no other pods is applied at once', async () => {
    const algorithm = await given(first);
    await algorithm.apply({ ...first, replicas: 7 });
    await algorithm.pass(5);
    expect(algorithm.deployment('stable')?.spec.replicas).toBe(7);
    expect(algorithm.status['trial']).toBeUndefined();
  });

  it('a version loses what the one after it adds', async () => {
    const algorithm = await given(first);
    await algorithm.apply({ ...first, podTemplate: { env: [{ name: 'NEW', value: '1' }] } });
    await algorithm.pass(15);
    const container = (side: 'stable' | 'trial') =>
      (algorithm.deployment(side)?.spec as Loose | undefined)?.['template'].spec.containers[0];
    expect([container('stable').env, container('trial').env]).toEqual([undefined, [{ name: 'NEW', value: '1' }]]);
  });

  it.each([
    { when: 'canaryWeight is 0', lifecycle: { ...lifecycle, canaryWeight: 0 }, changes: {}, routed: 'TrafficSplit' },
    { when: 'there is no gateway', lifecycle, changes: { hasGateway: false }, routed: 'NoGateway' },
    {
      when: 'the cluster does not serve the Gateway API',
      lifecycle,
      changes: { hasGatewayApi: false },
      routed: 'NoGatewayApi',
    },
  ])(
    'line 2: without a trial, where $when, a new version replaces the stable one',
    async ({ lifecycle, changes, routed }) => {
      const algorithm = await given({ ...first, lifecycle }, changes);
      await algorithm.apply({ ...second, lifecycle });
      await algorithm.pass(10);
      expect(algorithm.imageOf('stable')).toBe('reco:2');
      expect(algorithm.condition('Routed')).toMatchObject({ reason: routed });
      expect(algorithm.condition('Ready')).toMatchObject({ status: 'True' });
      expect(algorithm.status['history'][0]).toMatchObject({
        image: 'reco:2',
        why: expect.stringContaining('without a trial'),
      });
    },
  );

  it('a version replaces one of which no pod is available, so that a cure is not kept waiting by the disease', async () => {
    const algorithm = await given({ ...first, image: 'reco:0' }, { behaviours: { 'reco:0': { crashes: true } } });
    await algorithm.apply(first);
    await algorithm.pass(10);
    expect(algorithm.imageOf('stable')).toBe('reco:1');
  });

  it('line 11: without its lifecycle, in the middle of a trial, it is a plain one again, and nothing is left behind', async () => {
    const algorithm = await given(first);
    await algorithm.apply(second);
    await algorithm.pass(60, () => algorithm.status['trial']?.weight === 20);
    const { lifecycle: _, ...plain } = second;
    await algorithm.apply(plain);
    await algorithm.pass(3);
    expect(algorithm.frontSelector).toEqual({
      'app.kubernetes.io/name': 'algorithm',
      'app.kubernetes.io/instance': 'reco',
    });
    expect(algorithm.route).toBeDefined();
    expect(algorithm.imageOf('stable')).toBe('reco:2');
    await algorithm.pass(120);
    expect(algorithm.names).toEqual([
      'ConfigMap team/reco',
      'Deployment team/reco',
      'PodDisruptionBudget team/reco',
      'Service team/reco',
    ]);
    for (const field of ['stable', 'trial', 'verdict', 'history']) expect(algorithm.status[field]).toBeUndefined();
    expect([algorithm.condition('Promoted'), algorithm.condition('Routed')]).toEqual([undefined, undefined]);
  });

  it('says that it is routed when its Service has led to ready proxies for some seconds, and not before', async () => {
    const algorithm = await atFirst(first, { isNew: true });
    const said: string[] = [];
    await algorithm.pass(40, () => {
      const to = Object.keys(algorithm.frontSelector ?? {})[0]?.startsWith('gateway') ? 'gateway' : 'pods';
      said.push(`${algorithm.condition('Routed')?.['reason']}, led to the ${to}`);
      return false;
    });
    const whole = said.slice(said.indexOf('WaitingForGateway, led to the pods'));
    expect([...new Set(whole)]).toEqual([
      'WaitingForGateway, led to the pods',
      'SwitchingToGateway, led to the gateway',
      'TrafficSplit, led to the gateway',
    ]);
    const seconds = (one: string) => whole.filter((other) => other.startsWith(one)).length;
    expect(seconds('WaitingForGateway')).toBeGreaterThanOrEqual(9);
    expect(seconds('SwitchingToGateway')).toBeGreaterThanOrEqual(4);
    expect(seconds('SwitchingToGateway')).toBeLessThanOrEqual(10);
  });

  it("is not said to be routed while its name leads to somebody else's pods", async () => {
    const algorithm = await given(first, { isTaken: true });
    expect(algorithm.frontSelector).toEqual({ app: 'theirs' });
    expect(algorithm.condition('Routed')).toMatchObject({ status: 'Unknown', reason: 'SwitchingToGateway' });
  });

  it('is routed by a gateway of another namespace, to which no Service of its own can lead', async () => {
    const algorithm = await given({ ...first, gateway: { name: 'shared', namespace: 'edge' } });
    expect(algorithm.condition('Routed')).toMatchObject({ status: 'True', reason: 'TrafficSplit' });
    expect(algorithm.frontSelector).toEqual({
      'app.kubernetes.io/name': 'algorithm',
      'app.kubernetes.io/instance': 'reco',
    });
  });

  it('shares the gateway of its namespace with the others there, and leaves it to them', async () => {
    const algorithm = await given(first);
    await algorithm.apply(first, { name: 'other' });
    await algorithm.pass(30);
    const owners = () => {
      const { ownerReferences = [] } =
        algorithm.memory.peek(gatewayKind).get('team/reconstruct-gateway')?.metadata ?? {};
      return ownerReferences.map(({ name }) => name);
    };
    expect(owners()).toEqual(['reco', 'other']);
    const { lifecycle: _, ...plain } = first;
    await algorithm.apply(plain, { name: 'other' });
    await algorithm.pass(60);
    expect(owners()).toEqual(['reco']);
    expect(algorithm.condition('Routed')).toMatchObject({ status: 'True' });
  });

  it('at rest it costs no request, and during a trial at most three status writes an interval', async () => {
    const algorithm = await given(first);
    algorithm.memory.forgetWrites();
    await algorithm.pass(600);
    expect(algorithm.operator.writes.filter((write) => !write.includes('somebody'))).toEqual([]);
    await algorithm.apply({ ...second, lifecycle: { ...lifecycle, steps: [{ weight: 20, for: '10m' }] } });
    await algorithm.pass(60);
    algorithm.memory.forgetWrites();
    await algorithm.pass(300);
    const writes = algorithm.operator.writes.filter((write) => write.includes('Algorithm/status'));
    expect(writes.length).toBeGreaterThan(10);
    expect(writes.length).toBeLessThanOrEqual(90);
  });
});

describe('line 11: an operator that is killed again and again', () => {
  it.each([
    { ends: 'promotes a good version', behaviours: { 'reco:2': {} }, stable: 'reco:2' },
    { ends: 'takes a bad one back', behaviours: { 'reco:2': { failing: 0.1 } }, stable: 'reco:1' },
  ] as const)('$ends', async ({ behaviours, stable }) => {
    const algorithm = await given(first, { behaviours });
    await algorithm.apply(second);
    for (let n = 0; n < 40; n++) {
      await algorithm.pass(7 + (n % 17));
      await algorithm.kill();
    }
    await algorithm.pass(400);
    expect(algorithm.imageOf('stable')).toBe(stable);
    expect(algorithm.deployment('trial')).toBeUndefined();
    expect(algorithm.weights).toEqual([0, 20, 0]);
  });
});
