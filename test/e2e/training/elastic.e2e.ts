import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { figure, seconds } from '../algorithm/figure.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { slower, underKills } from '../cluster/kill-mode.js';
import { applied, kubectl } from '../cluster/kubectl.js';
import { Devices } from './devices.js';
import { elastic, givePrograms, holding, type RankPlace, TriedTraining } from './tried-training.js';

const namespace = givenNamespace('training-elastic');
const devices = new Devices('example.com/berth');
/** Seconds. */
const replaceWithin = 10;
/** Seconds until the next step, with a new process that imports torch on a busy machine. */
const longestStart = 30 * slower;

/** Three workers that go on with two, and train until they are deleted. */
function trio(name: string): TriedTraining {
  const spec = elastic(devices.name, { workers: 3, minWorkers: 2, replaceWithin: `${replaceWithin}s` });
  return new TriedTraining(namespace, name, spec);
}

/** Resolves when a job has an event with a reason and a text. */
async function untilTold(job: TriedTraining, reason: string, text: string): Promise<void> {
  // An operator that is killed after the status was written does not repeat the event.
  if (underKills) return;
  const fields = `reason=${reason},involvedObject.name=${job.name}`;
  const args = ['get', 'events', `--field-selector=${fields}`, '--output=jsonpath={.items[*].message}'];
  const isTold = async () => (await kubectl(['--namespace', namespace, ...args])).includes(text);
  await job.until(`an event ${reason} says ${text}`, isTold, 30);
}

/** Gives the room of a failed test back. */
const remove = (job: TriedTraining) => job.delete().catch(() => {});

/** The gates of the Pods of a worker. */
async function gatesOf(job: TriedTraining, index: number): Promise<number> {
  const pods = (await job.pods()).filter(({ metadata }) => metadata.name.startsWith(`${job.name}-${index}-`));
  return pods.flatMap(({ spec }) => (spec as { readonly schedulingGates?: readonly object[] }).schedulingGates ?? [])
    .length;
}

/** The ranks that have done a step since a time. */
const ranksSince = (job: TriedTraining, since: number) =>
  [...new Set(job.steps().flatMap(({ time, rank }) => (time > since ? [rank] : [])))].toSorted();

describe('line 17: a TrainingJob of three workers with minWorkers 2', () => {
  const job = trio('elastic');
  /** The worker that is lost, and those that stay. */
  let victim: RankPlace | undefined;
  let others: readonly RankPlace[] = [];

  beforeAll(async () => {
    await givePrograms(namespace);
    const nodes = await devices.nodes();
    for (const node of nodes) await devices.give(node, nodes.indexOf(node) < 3 ? 1 : 0);
    await job.apply();
    await job.untilTraining({ within: 240 });
    const ranks = await job.ranks();
    // The volume is that of the worker with the index 0.
    victim = ranks.find(({ rank }) => rank === 2);
    others = ranks.filter((one) => one !== victim);
  }, 300_000 * slower);
  afterAll(async () => {
    await remove(job);
    await job[Symbol.asyncDispose]();
    await devices.takeAll();
  });

  it(
    'a worker is lost with its place: training goes on with two, after replaceWithin',
    async () => {
      const { pod = '', node = '' } = victim ?? {};
      const before = (await job.status()).restarts?.total ?? 0;
      const { status, ...after } = await job.recovery(async () => {
        await devices.give(node, 0);
        await kubectl(['--namespace', namespace, 'delete', 'pod', pod, '--wait=false']);
      });
      const reached = Date.now();
      figure(17, `a worker lost for good: next step after ${after.seconds.toFixed(1)} s, ${after.lost} steps lost`);
      expect([status.ready, status.ranks?.length]).toEqual(['2/3', 2]);
      expect(status.faults?.[0]).toMatchObject({ kind: 'PodLost', grade: 'Pod', pod });
      expect(status.restarts?.total, 'the loss alone is a fault').toBe(before + 1);
      expect(after.seconds).toBeGreaterThan(replaceWithin - 2);
      expect(after.seconds).toBeLessThan(replaceWithin + longestStart);
      expect(after.lost, 'a survivor has the state').toBeLessThanOrEqual(1);
      expect(await job.unchanged(others), 'the others must keep Pod and process').toEqual(others);
      await job.until('both ranks do steps', () => ranksSince(job, reached).length === 2, 30);
      expect(ranksSince(job, reached)).toEqual([0, 1]);
      expect(await job.condition('Training')).toMatch(/^FewerWorkers: 2 of 3 workers/);
      expect(await job.condition('Scheduled')).toMatch(/^FewerWorkers: The job trains with 2 of 3 workers: /);
      await untilTold(job, 'WorkersReduced', 'Continues with 2 of 3 workers');
    },
    240_000 * slower,
  );

  it(
    'the Pod that found no node waits with a gate, and holds up nobody',
    async () => {
      await job.until('the Pod of the lost worker has a gate', async () => (await gatesOf(job, 2)) === 1, 60);
      const isTold = async () => (await job.condition('Scheduled')).includes('room for 0 of 1 workers');
      await job.until('Scheduled says that there is no room', isTold, 60);
      expect((await job.status()).phase).toBe('Running');
    },
    180_000 * slower,
  );

  it(
    'room comes: it joins between two steps, and no step is lost',
    async () => {
      const { restarts } = await job.status();
      const began = Date.now();
      const { status, ...after } = await job.recovery(() => devices.give(victim?.node ?? '', 1));
      const reached = Date.now();
      figure(17, `trains with three ${seconds(began, reached)} after there was room, ${after.lost} steps lost`);
      figure(17, `the longest pause meanwhile: ${after.seconds.toFixed(1)} s`);
      expect([status.ready, status.ranks?.length]).toEqual(['3/3', 3]);
      expect(after.lost).toBeLessThanOrEqual(1);
      expect(after.seconds, 'the others train while the worker starts').toBeLessThan(longestStart / 2);
      expect(await job.unchanged(others), 'the others must keep Pod and process').toEqual(others);
      await job.until('all ranks do steps', () => ranksSince(job, reached).length === 3, 30);
      expect(status.restarts?.total, 'growing is no fault').toBe(restarts?.total);
      const isAll = async () => (await job.condition('Scheduled')).startsWith('WorkersScheduled');
      await job.until('Scheduled says that all workers have a node', isAll, 30);
      await untilTold(job, 'WorkersJoined', 'Trains with 3 of 3 workers');
      await job.delete();
    },
    240_000 * slower,
  );
});

describe('line 17: a job with a higher priority waits for room', () => {
  const low = trio('low');
  const waiting = (name: string, priorityClassName?: string) =>
    new TriedTraining(
      namespace,
      name,
      holding({
        workers: 1,
        resources: { limits: { [devices.name]: 1 }, requests: { cpu: '10m', memory: '16Mi' } },
        podTemplate: { ...(priorityClassName !== undefined && { priorityClassName }) },
      }),
    );
  const [equal, urgent] = [waiting('equal'), waiting('urgent', 'reconstruct-e2e-urgent')];
  let ranks: readonly RankPlace[] = [];

  beforeAll(async () => {
    await givePrograms(namespace);
    await applied({
      ...{ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'reconstruct-e2e-urgent' } },
      ...{ value: 1_000, preemptionPolicy: 'Never' },
    });
    const nodes = await devices.nodes();
    for (const node of nodes) await devices.give(node, nodes.indexOf(node) < 3 ? 1 : 0);
    await low.apply();
    await low.untilTraining({ within: 240 });
    ranks = await low.ranks();
  }, 300_000 * slower);
  afterAll(async () => {
    await Promise.all([low, equal, urgent].map(remove));
    for (const job of [low, equal, urgent]) await job[Symbol.asyncDispose]();
    await devices.takeAll();
    await kubectl(['delete', 'priorityclass', 'reconstruct-e2e-urgent', '--ignore-not-found']);
  });

  it(
    'a job of the same priority displaces nobody',
    async () => {
      await equal.apply();
      const isTold = async () => (await equal.condition('Scheduled')).includes('room for 0 of 1 workers');
      await equal.until('Scheduled says that there is no room', isTold);
      // A job that could give a worker looks every ten seconds.
      await pause(20_000);
      expect(await equal.condition('Scheduled')).toMatch(/^Queued: /);
      expect((await low.status()).ready).toBe('3/3');
      await equal.delete();
    },
    180_000 * slower,
  );

  it(
    'a job of a higher priority gets the place of a worker, between two steps',
    async () => {
      const { restarts } = await low.status();
      const began = Date.now();
      const { status, ...after } = await low.recovery(() => urgent.apply());
      // It asks for room at intervals: it may not know yet who gives a worker, or already have the room.
      const hasTurn = async () =>
        /^(Displacing: .*training-elastic.*\/low|Scheduling|WorkersScheduled)/.test(
          await urgent.condition('Scheduled'),
        );
      await urgent.until('Scheduled names the job that gives a worker, or says that there is room', hasTurn);
      await urgent.until('it runs', ({ phase }) => phase === 'Running');
      figure(17, `the urgent job runs ${seconds(began, Date.now())} after it was created`);
      figure(17, `the other one: ${after.seconds.toFixed(1)} s without a step, ${after.lost} steps lost`);
      expect(status.ready).toBe('2/3');
      expect(after.lost).toBeLessThanOrEqual(1);
      expect(after.seconds).toBeLessThan(longestStart / 2);
      expect(await low.unchanged(ranks.slice(0, 2)), 'two ranks keep Pod and process').toEqual(ranks.slice(0, 2));
      expect(status.restarts?.total, 'it is no fault').toBe(restarts?.total);
      expect(status.displacedBy).toBe(`${namespace}/urgent`);
      await untilTold(low, 'Displaced', `TrainingJob ${namespace}/urgent`);
    },
    240_000 * slower,
  );

  it(
    'and gives it back when it is gone',
    async () => {
      const began = Date.now();
      const { status, ...after } = await low.recovery(() => urgent.delete());
      figure(17, `trains with three ${seconds(began, Date.now())} after the other one was deleted`);
      expect([status.ready, status.displacedBy]).toEqual(['3/3', undefined]);
      expect(after.lost).toBeLessThanOrEqual(1);
      expect(await low.unchanged(ranks.slice(0, 2))).toEqual(ranks.slice(0, 2));
      await low.delete();
    },
    240_000 * slower,
  );
});
