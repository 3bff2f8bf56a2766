import { afterEach, describe, expect, test } from 'vitest';
import { trainingJobKind } from '../../../../imports/index.js';
import { trainingJob } from '../../../../operator/controllers/training/index.js';
import type { CoordinatorAnswer, Member } from '../../../../operator/controllers/training/ports/coordinator.js';
import { logs } from '../../../../operator/controllers/training/ports/logs.js';
import { draw } from '../../../../operator/passwords/draw.js';
import { ApiError } from '../../../../operator/runtime/kubernetes/errors.js';
import { Pod, ResourceQuota } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { provided } from '../../../../operator/runtime/ports/external-port.js';
import { MemoryPort } from '../../../../operator/testing/contract/trial/memory-port.js';
import { specOf } from '../../../src/training/given-job.js';
import { bound } from '../../runtime/given/house.js';
import { GivenOperator } from '../../runtime/given/operator.js';
import { closeAll, runs } from '../../runtime/given/oracle.js';
import { conditionOf } from '../../runtime/given/widgets.js';
import { capacityModel, coordinatorModel } from './training-models.js';

afterEach(closeAll);

const metadata = { name: 'ranking', namespace: 'ml' };
const quota = 'pods "ranking-2-1" is forbidden: exceeded quota: team, requested: pods=1, used: pods=2, limited: pods=2';

/** What the processes of these Pods say, and their launchers. */
function said(
  members: readonly Member[],
  state: string,
  generation: number,
): Pick<CoordinatorAnswer, 'ranks' | 'launchers'> {
  const common = { local: 0, generation, behind: false, state, step: 10, phase: 'compute', phaseSeconds: 0, age: 0 };
  return {
    ranks: members.map((one, rank) => ({ ...one, ...common, rank })),
    launchers: members.map(({ worker, uid }) => ({ worker, uid, age: 0 })),
  };
}

/** A coordinator whose processes train as soon as a generation begins. */
function quickCoordinator(): MemoryPort {
  const model = coordinatorModel();
  const perform = (before: never, request: never) => {
    const { members, generation } = request as Partial<CoordinatorAnswer>;
    const after = model.perform(before, request) as CoordinatorAnswer;
    return members && generation ? { ...after, ...said(members, 'training', generation) } : after;
  };
  return new MemoryPort({ ...model, perform });
}

/** The operator, a job of three workers of which one was lost, and a quota that refuses further Pods. */
async function givenJob(changes: object) {
  const coordinator = quickCoordinator();
  const drawn = provided(draw, async ({ keys }) => Object.fromEntries(keys.map((key) => [key, key])));
  const followed = provided(logs, async ({ generation }) => ({ generation, findings: [], failures: [] }));
  let isFull = false;
  const faults = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    create: (kind, object, options) => {
      if (isFull && kind === Pod) throw new ApiError(quota, { code: 403, reason: 'Forbidden' });
      return cluster.create(kind, object, options);
    },
  });
  const ports = [coordinator.provided, new MemoryPort(capacityModel()).provided, drawn, followed];
  const given = runs(new GivenOperator({ controllers: [trainingJob], ports, faults }));
  await given.start();
  const spec = specOf({ workers: 3, ...changes });
  const job = { apiVersion: 'reconstruct.dev/v1alpha1', kind: 'TrainingJob', metadata, spec };
  await given.given(trainingJobKind, job as never);
  await given.clock.advance(5_000);
  const pods = (await given.memory.list(Pod, {})).items;
  for (const { metadata: own } of pods) {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: own.name, namespace: 'ml' } };
    await given.memory.apply(Pod, { ...pod, spec: { nodeName: 'node-1' } } as never, { manager: 'scheduler' });
    const running = { ...pod, status: { phase: 'Running' } } as never;
    await given.memory.apply(Pod, running, { manager: 'kubelet', subresource: 'status' });
  }
  const members = pods.map(({ metadata: { name, uid } }) => ({ worker: name, uid }));
  const say = async (...words: Parameters<typeof said>) => {
    coordinator.meddle({ ...(coordinator.state as CoordinatorAnswer), ...said(...words) });
    await given.clock.advance(5_000);
  };
  await say(members, 'ready', 0);
  isFull = true;
  await given.memory.remove(Pod, { name: 'ranking-2-0', namespace: 'ml' }, { uid: members[2]?.uid ?? '' });
  await say(members.slice(0, 2), 'waiting', 1);
  const told = async (type: string) => {
    const found = conditionOf(await given.memory.read(trainingJobKind, metadata), type);
    return `${found?.['status']} ${found?.['reason']}: ${found?.['message']}`;
  };
  /** The number of members of each generation. */
  const begun = () =>
    coordinator.performed.flatMap(({ request }) => (request as Partial<CoordinatorAnswer>).members?.length ?? []);
  return { given, told, begun };
}

describe('a job of which a quota refuses the replacement of a lost Pod', () => {
  test('tells the fault and the quota', async () => {
    const { told, begun } = await givenJob({});
    expect(await told('Healthy')).toBe(
      'False WorkerLost: PodLost of Pod ranking-2-0 on node node-1: Pod ranking-2-0 was deleted',
    );
    expect(await told('Scheduled')).toContain(
      `Unknown Queued: The workers wait: ${quota}: raise pods of ResourceQuota team`,
    );
    expect(await told('Ready')).toContain(`False ApplyRejected: ${quota}`);
    expect(begun()).toEqual([3]);
  });

  test('goes on with minWorkers, and says why others are missing', async () => {
    const { given, told, begun } = await givenJob({ minWorkers: 2 });
    expect(begun()).toEqual([3]);
    await given.clock.advance(30_000);
    expect(begun()).toEqual([3, 2]);
    expect(await told('Training')).toBe('True FewerWorkers: 2 of 3 workers train');
    expect(await told('Scheduled')).toContain(`Unknown FewerWorkers: The job trains with 2 of 3 workers: ${quota}`);
    expect(await told('Healthy')).toMatch(/^True/);
  });
});

describe('two jobs of which a quota allows one', () => {
  /** The operator and the quota, as the API server counts it for the Pods that exist. */
  async function givenQuota(pods: number) {
    const drawn = provided(draw, async ({ keys }) => Object.fromEntries(keys.map((key) => [key, key])));
    const followed = provided(logs, async ({ generation }) => ({ generation, findings: [], failures: [] }));
    const ports = [quickCoordinator().provided, new MemoryPort(capacityModel()).provided, drawn, followed];
    const given = runs(new GivenOperator({ controllers: [trainingJob], ports }));
    const name = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'team', namespace: 'ml' } };
    const counts = async (hard: number) => {
      const used = (await given.memory.list(Pod, {})).items.length;
      const status = { hard: { pods: String(hard) }, used: { pods: String(used) } };
      await given.memory.apply(ResourceQuota, { ...name, status } as never, {
        manager: 'quota',
        subresource: 'status',
      });
      await given.clock.advance(5_000);
    };
    await given.given(ResourceQuota, name as never);
    await counts(pods);
    await given.start();
    const apply = async (job: string) => {
      const spec = specOf({ workers: 3, recovery: 'Restart' });
      const common = { apiVersion: 'reconstruct.dev/v1alpha1', kind: 'TrainingJob' };
      await given.given(trainingJobKind, { ...common, metadata: { name: job, namespace: 'ml' }, spec } as never);
      await given.clock.advance(5_000);
      await counts(pods);
    };
    const podsOf = async (job: string) =>
      (await given.memory.list(Pod, {})).items.filter((one) => one.metadata.name.startsWith(job)).length;
    const told = async (job: string) =>
      conditionOf(await given.memory.read(trainingJobKind, { name: job, namespace: 'ml' }), 'Scheduled');
    return { apply, counts, podsOf, told };
  }

  test('take turns, and the one that waits has no Pod and names the quota', async () => {
    const { apply, counts, podsOf, told } = await givenQuota(5);
    await apply('first');
    await apply('second');
    expect([await podsOf('first'), await podsOf('second')]).toEqual([3, 0]);
    const { reason, message } = ((await told('second')) ?? {}) as Record<string, unknown>;
    expect(reason).toBe('Queued');
    expect(message).toBe(
      'The workers wait: ResourceQuota team does not allow what the job needs: pods 3, with 2 of 5 left',
    );
    await counts(6);
    expect([await podsOf('first'), await podsOf('second')]).toEqual([3, 3]);
  });
});
