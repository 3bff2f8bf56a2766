import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PersistentVolumeClaim } from '../../../operator/index.js';
import { figure, seconds } from '../algorithm/figure.js';
import { read } from '../cluster/api.js';
import { cordon, deleteByForce, uncordon } from '../cluster/faults.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { slower, underKills } from '../cluster/kill-mode.js';
import { kubectl } from '../cluster/kubectl.js';
import { power, powerless, powerNote } from '../cluster/power.js';
import { lossOf, recoveryIn } from './steps.js';
import { givePrograms, small, TriedTraining } from './tried-training.js';

const namespace = givenNamespace('training');
const workers = 3;
/** More than the faults take with a pause in each step. */
const steps = 1_200;
const every = 20;
/** Seconds, of `health.stalledAfter`. */
const stalledAfter = 10;
/** Seconds until the next step, with a new process that imports torch on a busy machine. */
const longestRecovery = 30 * slower;

const spec = {
  workers,
  checkpoint: { size: '64Mi', every },
  restarts: { perWindow: 100, avoidNodeAfter: 20 },
} as const;

/** Each rank on a machine of its own, so that one machine can be lost. */
const apart = [
  {
    ...{ maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway' as const },
    labelSelector: { matchLabels: { 'reconstruct.dev/training-role': 'worker' } },
  },
];

describe('lines 2 to 8 and 10: a TrainingJob with faults', () => {
  const calm = new TriedTraining(namespace, 'calm', { ...small({ STEPS: steps }), ...spec });
  const slow = small({ STEPS: steps, STEP_PAUSE: 0.2 });
  const podTemplate = { ...slow.podTemplate, topologySpreadConstraints: apart };
  const job = new TriedTraining(namespace, 'digits', { ...slow, ...spec, podTemplate });
  /** The machine without power. */
  let off: string | undefined;

  beforeAll(async () => {
    await givePrograms(namespace);
    await calm.apply();
    await calm.until('it has succeeded', ({ phase }) => phase === 'Succeeded', 240);
    const began = Date.now();
    await job.apply();
    await job.untilTraining({ within: 240 });
    figure(1, `three workers train after ${seconds(began, Date.now())}`);
  }, 600_000 * slower);
  afterAll(async () => {
    await Promise.all([calm, job].map((one) => one[Symbol.asyncDispose]()));
  });
  afterEach(async () => {
    if (off !== undefined) await power('start', off);
    off = undefined;
  });

  /** The rank, and the ranks beside it. */
  const rankAndOthers = async (rank: number) => {
    const ranks = await job.ranks();
    const found = ranks.find((one) => one.rank === rank);
    if (!found) throw new Error(`the status has no rank ${rank}, only ${ranks.map((one) => one.rank)}`);
    return { victim: found, others: ranks.filter((one) => one !== found) };
  };

  it(
    'line 2: a process is killed: it starts again in its Pod, and the others go on',
    async () => {
      const { victim, others } = await rankAndOthers(2);
      const { status, ...after } = await job.recovery(() => job.signal(victim.pod, 'KILL'));
      figure(2, `a process killed: next step after ${after.seconds.toFixed(1)} s, ${after.lost} steps lost`);
      expect(status.faults?.[0]).toMatchObject({ kind: 'ProcessFailed', grade: 'Process', rank: 2, pod: victim.pod });
      expect(status.faults?.[0]?.node).toBe(victim.node);
      const again = (await job.ranks()).find(({ uid }) => uid === victim.uid);
      expect(again?.pid, 'the Pod of the rank must be the same, with another process').not.toBe(victim.pid);
      expect(await job.unchanged(others), 'the other ranks must keep Pod and process').toEqual(others);
      expect(after.lost, 'a peer has the state').toBeLessThanOrEqual(1);
      expect(after.seconds).toBeLessThan(longestRecovery);
    },
    180_000 * slower,
  );

  it(
    'line 2: a Pod is deleted: only it is replaced',
    async () => {
      const { victim, others } = await rankAndOthers(1);
      const { status, ...after } = await job.recovery(() =>
        kubectl(['--namespace', namespace, 'delete', 'pod', victim.pod, '--wait=false']),
      );
      figure(2, `a Pod deleted: next step after ${after.seconds.toFixed(1)} s, ${after.lost} steps lost`);
      expect(status.faults?.[0]).toMatchObject({ kind: 'PodLost', grade: 'Pod', rank: 1, pod: victim.pod });
      // An operator that was away cannot see where the Pod was.
      if (!underKills) expect(status.faults?.[0]?.node).toBe(victim.node);
      expect((await job.ranks()).map(({ uid }) => uid)).not.toContain(victim.uid);
      expect(await job.unchanged(others), 'the other ranks must keep Pod and process').toEqual(others);
      expect(after.lost, 'a peer has the state').toBeLessThanOrEqual(1);
      expect(after.seconds).toBeLessThan(longestRecovery);
    },
    180_000 * slower,
  );

  it.each([
    { rank: 0, how: 'is stopped', stall: (pod: string) => job.signal(pod, 'STOP') },
    { rank: 1, how: 'sleeps in its data loader', stall: (pod: string) => job.tell(pod, 'sleep') },
  ])(
    'line 3: a rank $how: it is named in time, and its process alone starts again',
    async ({ rank, how, stall }) => {
      const { victim, others } = await rankAndOthers(rank);
      let noticed = 0;
      const began = Date.now();
      const { status, ...after } = await job.recovery(async () => {
        await stall(victim.pod);
        const isNamed = async () => {
          const told = await job.condition('Healthy');
          return told.startsWith('RankStalled') && told.includes(`rank ${rank}`) && told.includes(victim.pod);
        };
        await job.until(`Healthy says RankStalled with rank ${rank} of ${victim.pod}`, isNamed, 60);
        noticed = Date.now() - began;
      });
      figure(3, `a rank that ${how} named after ${noticed / 1_000} s, next step after ${after.seconds.toFixed(1)} s`);
      expect(noticed / 1_000).toBeLessThanOrEqual((stalledAfter + 5) * slower);
      expect(status.faults?.[0]).toMatchObject({ kind: 'RankStalled', grade: 'Process', rank, pod: victim.pod });
      expect((await job.ranks()).map(({ uid }) => uid)).toContain(victim.uid);
      expect(await job.unchanged(others), 'the other ranks must keep Pod and process').toEqual(others);
      expect(after.lost, 'a peer has the state').toBeLessThanOrEqual(1);
    },
    180_000 * slower,
  );

  it(
    'line 4: the loss becomes NaN: all go back to a checkpoint before it',
    async () => {
      const before = await job.ranks();
      const since = Date.now();
      const { status, ...after } = await job.recovery(() => job.tell(before[0]?.pod ?? '', 'nan'));
      const first = job.steps().find(({ time, loss }) => time > since && Number.isNaN(loss));
      figure(4, `NaN at step ${first?.step}, training continued at step ${after.next}, ${after.lost} steps repeated`);
      const { step, grade } = status.faults?.find(({ kind }) => kind === 'NonFiniteLoss') ?? {};
      expect({ step, grade }).toEqual({ step: first?.step, grade: 'Generation' });
      expect(after.next).toBeLessThanOrEqual(first?.step ?? 0);
      expect(after.next).toBeGreaterThan((first?.step ?? 0) - 2 * every);
      const recovered = Date.now();
      const latest = () => job.steps().filter(({ time }) => time > recovered);
      await job.until('more steps are done', () => latest().length > 9);
      expect(latest().filter(({ loss }) => Number.isNaN(loss))).toEqual([]);
      expect(await job.unchanged(before), 'all ranks must keep Pod and process').toEqual(before);
    },
    180_000 * slower,
  );

  it(
    'line 4: the loss becomes NaN again: the Pods wait before all go back',
    async () => {
      // At the same step again, the job would fail.
      const { faults = [] } = await job.status();
      const earlier = faults.find(({ kind }) => kind === 'NonFiniteLoss')?.step ?? 0;
      await job.until('that step is done', () => (job.steps().at(-1)?.step ?? 0) > earlier + 1);
      const before = await job.ranks();
      const since = Date.now();
      const after = await job.recovery(async () => {
        await job.tell(before[1]?.pod ?? '', 'nan');
        const isTold = async () => /^BackingOff: .* after 2 faults of the loss/.test(await job.condition('Training'));
        await job.until('Training has the time of the restart', isTold);
      });
      const first = job.steps().find(({ time, loss }) => time > since && Number.isNaN(loss));
      figure(4, `NaN again at step ${first?.step}: the next step ${after.seconds.toFixed(1)} s after the fault`);
      expect(after.seconds, '`restarts.spike.backoff` is 10 s').toBeGreaterThan(9);
      expect(await job.unchanged(before), 'all ranks must keep Pod and process').toEqual(before);
    },
    180_000 * slower,
  );

  /** Resolves when the next one answers, and all ranks train. */
  async function replaceCoordinator(): Promise<void> {
    const lost = await job.coordinator();
    if (!lost) throw new Error('there is no coordinator');
    await deleteByForce(lost);
    const isBack = async () => {
      const now = await job.coordinator();
      return now !== undefined && now.metadata.uid !== lost.metadata.uid;
    };
    await job.until('the coordinator has another Pod', isBack);
    await job.until('the coordinator answers', async () => (await job.condition('Training')).startsWith('Training'));
    await job.untilTraining();
  }

  /** Moves the coordinator if it is on that machine, which is to be lost with a rank alone. */
  async function keepCoordinatorOff(node: string): Promise<void> {
    if ((await job.coordinator())?.spec.nodeName !== node) return;
    await cordon(node);
    try {
      await replaceCoordinator();
    } finally {
      await uncordon(node);
    }
  }

  it(
    'line 7: the coordinator is killed: training goes on',
    async () => {
      const before = await job.ranks();
      const since = Date.now();
      await replaceCoordinator();
      const { step = 0 } = await job.status();
      await job.until('the operator hears of later steps', (status) => (status.step ?? 0) > step);
      const after = job.steps().filter(({ time }) => time > since);
      const gaps = after.slice(1).map(({ time }, index) => time - (after[index]?.time ?? 0));
      figure(7, `the coordinator killed: at most ${Math.max(...gaps) / 1_000} s without a step`);
      expect(await job.unchanged(before), 'all ranks must keep Pod and process').toEqual(before);
    },
    180_000 * slower,
  );

  it(
    'line 8: suspended, it gives its room back, and goes on at the same step',
    async () => {
      const { restarts } = await job.status();
      const since = Date.now();
      await job.apply({ suspend: true });
      const { checkpoint } = await job.until('it is suspended', ({ phase }) => phase === 'Suspended');
      expect(await job.pods()).toEqual([]);
      const done = job.steps().at(-1)?.step;
      await job.apply({ suspend: false });
      await job.untilTraining();
      const { next, lost } = recoveryIn(job.steps(), since);
      figure(
        8,
        `suspended after step ${done} with a checkpoint of step ${checkpoint?.step}, continued at step ${next}`,
      );
      expect([checkpoint?.step, next, lost]).toEqual([done, (done ?? 0) + 1, 0]);
      expect((await job.status()).restarts?.total).toBe(restarts?.total);
    },
    180_000 * slower,
  );

  it(
    'line 8: an edit of its Pods replaces all of them, from a checkpoint of the last step',
    async () => {
      const before = await job.ranks();
      const { env = [] } = podTemplate;
      const { lost, seconds: pause } = await job.recovery(() =>
        job.apply({ podTemplate: { ...podTemplate, env: [...env, { name: 'EDITED', value: 'yes' }] } }),
      );
      figure(8, `all Pods replaced after an edit: next step after ${pause.toFixed(1)} s, ${lost} steps lost`);
      const uids = (await job.ranks()).map(({ uid }) => uid);
      expect(before.filter(({ uid }) => uids.includes(uid))).toEqual([]);
      expect(lost).toBe(0);
    },
    180_000 * slower,
  );

  it.skipIf(powerless)(
    `line 2: a machine loses its power: only its rank moves${powerNote}`,
    async () => {
      const ranks = await job.ranks();
      // Rank 0 stays where the volume is.
      const victim = ranks.find(({ node }) => node !== ranks[0]?.node);
      if (!victim) throw new Error(`all ranks are on one machine: ${JSON.stringify(ranks)}`);
      await keepCoordinatorOff(victim.node);
      const others = ranks.filter(({ node }) => node !== victim.node);
      const { status, ...after } = await job.recovery(async () => {
        off = victim.node;
        await power('kill', victim.node);
      });
      figure(2, `a machine lost: next step after ${after.seconds.toFixed(1)} s, ${after.lost} steps lost`);
      const told = status.faults?.find(({ uid }) => uid === victim.uid);
      expect(told).toMatchObject({ grade: 'Pod', node: victim.node, rank: victim.rank });
      expect(await job.unchanged(others), 'the other ranks must keep Pod and process').toEqual(others);
      expect(after.lost, 'a peer has the state').toBeLessThanOrEqual(1);
    },
    300_000 * slower,
  );

  it(
    'lines 4 and 10: after all of this, it succeeds with the same loss as a job without faults',
    async () => {
      for (const { pod } of await job.ranks()) await job.tell(pod, 'hurry');
      const status = await job.until('it has succeeded', ({ phase }) => phase === 'Succeeded', 240);
      await job.until('the last step is logged', () => job.steps().at(-1)?.step === steps, 20);
      const [own = 0, expected = 0] = [job, calm].map((one) => lossOf(one.steps(), steps));
      const total = status.restarts?.total ?? 0;
      figure(4, `loss of step ${steps}: ${own} after ${total} faults, ${expected} without`);
      expect(total).toBeGreaterThanOrEqual(5);
      expect((await calm.status()).restarts?.total, 'the other job must have no faults').toBe(0);
      expect(Math.abs(own - expected), `${own} and ${expected}`).toBeLessThanOrEqual(0.05 * expected);
      expect(status.checkpoint).toEqual({ step: steps, healthy: true });
      expect(await job.condition('Training')).toMatch(/^Succeeded/);
    },
    300_000 * slower,
  );

  it('line 10: after the success, its Pods are gone, and its volume stays', async () => {
    await job.until('its Pods are gone', async () => (await job.pods()).length === 0);
    const claim = { namespace, name: 'digits-checkpoints' };
    expect((await read(PersistentVolumeClaim, claim))?.metadata.deletionTimestamp).toBe(undefined);
    await job.delete();
    const left = await read(PersistentVolumeClaim, claim);
    expect(left?.metadata.name).toBe(claim.name);
    expect(left?.metadata.deletionTimestamp).toBe(undefined);
  });
});
