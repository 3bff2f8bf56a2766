import { describe, expect, it } from 'vitest';
import { gatewayClassKind } from '../../../../../imports/index.js';
import { ControllerRevision } from '../../../../../operator/runtime/kubernetes/kinds.js';
import { gatewayClass } from '../given-gateway-class.js';
import { givenAlgorithm } from './given-algorithm.js';
import { lifecycle, type World } from './given-world.js';

const plain = { image: 'reco:1', replicas: 2, scaling: { minReplicas: 1, maxReplicas: 3, targetLatencyMs: 50 } };
const managed = { ...plain, lifecycle };
const levelled = { ...managed, sla: { availability: 0.99 } };
const edited = { image: 'reco:2' };

const given = givenAlgorithm(10);

/** The clusters in which nothing can split requests. */
const clusters = [
  { where: 'without the Gateway API', changes: { hasGatewayApi: false, hasGateway: false } },
  { where: 'without a GatewayClass', changes: { hasGateway: false } },
];

/** The writes of the operator by what they write, and how many there were. */
function counted({ operator }: World): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const write of operator.writes) {
    const what = write.split(' ').slice(0, 2).join(' ');
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
}

/** The same for a change of the image. */
async function countedEdit(world: World, spec: Parameters<World['apply']>[0]): Promise<ReturnType<typeof counted>> {
  world.memory.forgetWrites();
  await world.apply({ ...spec, ...edited });
  await world.pass(10);
  expect(world.imageOf('stable')).toBe('reco:2');
  return counted(world);
}

/** Which versions are stored. */
function stored({ memory }: World): readonly string[] {
  const revisions = [...memory.peek(ControllerRevision).values()] as unknown as { data: { spec: { image: string } } }[];
  return revisions.map(({ data }) => data.spec.image);
}

describe.each(clusters)('in a cluster $where, a lifecycle', ({ changes }) => {
  it('costs one write more at the creation of an Algorithm: the status of the trial', async () => {
    const { 'apply Algorithm/status': statuses = 0, ...objects } = counted(await given(plain, changes));
    const algorithm = await given(managed, changes);
    expect(counted(algorithm)).toEqual({ ...objects, 'apply Algorithm/status': statuses + 1 });
    expect(algorithm.status).toMatchObject({
      stable: { image: 'reco:1', version: '1', weight: 100 },
      history: [{ image: 'reco:1', outcome: 'Promoted', why: 'First version' }],
    });
  });

  it('costs one write more for a change of the image', async () => {
    const { 'apply Algorithm/status': statuses = 0, ...objects } = await countedEdit(
      await given(plain, changes),
      plain,
    );
    const algorithm = await given(managed, changes);
    expect(await countedEdit(algorithm, managed)).toEqual({ ...objects, 'apply Algorithm/status': statuses + 1 });
    expect(algorithm.status).toMatchObject({
      stable: { image: 'reco:2', version: '2', weight: 100 },
      history: [
        { image: 'reco:2', outcome: 'Promoted', why: expect.stringContaining('without a trial') },
        { image: 'reco:1', outcome: 'Promoted', to: expect.any(String) },
      ],
    });
  });

  it('costs no write and no question at rest, and no more looks than the resync of each controller', async () => {
    const looksOf = async (spec: Parameters<World['apply']>[0]) => {
      const algorithm = await given(spec, changes);
      algorithm.memory.forgetWrites();
      const before = algorithm.operator.looks;
      await algorithm.pass(600);
      expect([algorithm.operator.writes, algorithm.asked]).toEqual([[], 0]);
      return algorithm.operator.looks - before;
    };
    const once = await looksOf(plain);
    expect(once).toBeGreaterThan(0);
    expect(await looksOf(levelled)).toBeLessThanOrEqual(3 * once);
  });

  it('stores the version that runs once a gateway can split requests, and tries the next one', async () => {
    const algorithm = await given(managed, changes);
    expect(stored(algorithm)).toEqual([]);
    algorithm.hasGatewayApi = true;
    await algorithm.memory.apply(gatewayClassKind, gatewayClass, { manager: 'somebody' });
    await algorithm.pass(120, () => algorithm.condition('Routed')?.['reason'] === 'TrafficSplit');
    expect(stored(algorithm)).toEqual(['reco:1']);
    await algorithm.apply({ ...managed, ...edited });
    await algorithm.pass(30, () => algorithm.status['trial']?.weight === 20);
    expect(algorithm.status).toMatchObject({ stable: { version: '1' }, trial: { version: '2', weight: 20 } });
  });
});

it('a version that was rolled back does not serve when the Gateway API is gone', async () => {
  const algorithm = await given(managed, { behaviours: { 'reco:2': { failing: 0.5 } } });
  await algorithm.pass(20);
  await algorithm.apply({ ...managed, ...edited });
  await algorithm.pass(300, () => algorithm.condition('Promoted')?.['reason'] === 'RolledBack');
  algorithm.hasGatewayApi = false;
  await algorithm.kill();
  await algorithm.pass(120);
  expect(algorithm.condition('Routed')).toMatchObject({ reason: 'NoGatewayApi' });
  expect(algorithm.imageOf('stable')).toBe('reco:1');
  expect(algorithm.condition('Promoted')).toMatchObject({ reason: 'RolledBack' });
});
