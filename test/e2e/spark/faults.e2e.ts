import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../chaos/wait.js';
import { projectImage } from '../../images/project-images.js';
import { figure, seconds } from '../algorithm/figure.js';
import { listed } from '../cluster/api.js';
import { drain, killProcesses, uncordon } from '../cluster/faults.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { slower, underKills } from '../cluster/kill-mode.js';
import { Node } from '../cluster/kinds.js';
import { kubectl } from '../cluster/kubectl.js';
import { killLeader, scaleOperator } from '../cluster/operator-pods.js';
import { power, powerless, powerNote } from '../cluster/power.js';
import { givePrograms, running, TriedSpark } from './tried-spark.js';
import { Witness } from './witness.js';

const namespace = givenNamespace('spark-faults');

describe('the driver of a SparkJob with faults', () => {
  let witness: Witness;
  let nodes: readonly string[] = [];
  let off: string | undefined;

  beforeAll(async () => {
    await givePrograms(namespace);
    nodes = (await listed(Node)).map(({ metadata }) => metadata.name).sort();
    witness = await Witness.start(namespace, nodes[0] ?? '');
  }, 240_000);
  afterEach(async () => {
    if (off !== undefined) await power('start', off);
    off = undefined;
  });
  afterAll(async () => {
    for (const node of nodes) await uncordon(node);
  });

  /** A job that tells the witness of 20 steps of half a second, on the machines that a test may stop. */
  function writing(name: string): TriedSpark {
    const spec = running('writes.py', witness.address, '20', '0.5');
    const elsewhere = {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [
            {
              matchExpressions: [
                { key: 'kubernetes.io/hostname', operator: 'NotIn' as const, values: [nodes[0] ?? ''] },
              ],
            },
          ],
        },
      },
    };
    const podTemplate = { ...spec.driver?.podTemplate, affinity: elsewhere };
    return new TriedSpark(namespace, name, { ...spec, driver: { ...spec.driver, podTemplate } });
  }

  /** The job succeeds, and no two of its drivers lived at once. */
  async function endsWell(job: TriedSpark, attempt: number): Promise<void> {
    const status = await job.ended(360);
    expect(status).toMatchObject({ state: 'Succeeded', attempt });
    const { processes, overlaps } = await witness.heard();
    expect(overlaps, 'no driver may go on after a later one began').toEqual([]);
    const own = processes.filter(({ driver }) => driver.startsWith(`${job.name}-1-`));
    expect(own.at(-1), 'the last driver did all of its steps').toMatchObject({ steps: 20 });
    expect(new Set(own.map(({ driver }) => driver)).size, 'a process for each attempt').toBe(own.length);
  }

  it(
    'a driver that is killed counts as run, and the next attempt does all steps',
    async () => {
      const job = writing('killed');
      await job.apply();
      const pod = await job.runningDriver(1);
      await killProcesses(pod, projectImage('spark', '4.3.0'));
      const { ended } = await job.until('attempt 2 has begun', ({ attempt }) => attempt === 2);
      expect(ended?.[0]).toMatchObject({ attempt: 1, exitCode: 137, budget: 'run' });
      await endsWell(job, 2);
    },
    480_000 * slower,
  );

  it(
    'a driver that a drain evicts counts as preemption',
    async () => {
      const job = writing('drained');
      await job.apply();
      const { spec } = await job.runningDriver(1);
      const node = spec.nodeName ?? '';
      const began = Date.now();
      await drain(node);
      const { ended, retries } = await job.until('attempt 2 has begun', ({ attempt }) => attempt === 2);
      figure(3, `the drain took ${seconds(began, Date.now())}: ${ended?.[0]?.reason}`);
      expect(ended?.[0]).toMatchObject({ attempt: 1, budget: 'preemption' });
      expect(retries?.used).toEqual({ preemption: 1 });
      await uncordon(node);
      await endsWell(job, 2);
    },
    480_000 * slower,
  );

  it(
    'an operator that is killed while it submits creates one driver, and counts one attempt',
    async () => {
      const job = writing('submitted');
      await job.apply();
      if (!underKills) {
        await job.until('its run has begun', ({ run }) => run === 1);
        await killLeader();
      }
      await endsWell(job, 1);
      expect((await job.pods('driver')).map(({ metadata }) => metadata.name)).toEqual(['submitted-1-1-driver']);
    },
    480_000 * slower,
  );

  it(
    'a driver that succeeds while no operator runs has succeeded, also if its Pod is deleted before an operator runs again',
    async () => {
      const job = writing('unseen');
      await job.apply();
      const { metadata } = await job.runningDriver(1);
      await scaleOperator(0);
      try {
        const isOver = async () => (await job.pods('driver')).some(({ status }) => status?.phase === 'Succeeded');
        await until(isOver, { what: 'the driver has succeeded', within: 120_000, every: 500 });
        await kubectl(['--namespace', namespace, 'delete', 'pod', metadata.name, '--wait=false']);
      } finally {
        await scaleOperator(2);
      }
      await endsWell(job, 1);
      const isGone = async () => (await job.pods('driver')).length === 0;
      await until(isGone, { what: 'the deleted Pod is gone', within: 60_000, every: 500 });
    },
    480_000 * slower,
  );

  it.skipIf(powerless)(
    `a driver on a lost machine is waited for, and counts as preemption when its Node is deleted${powerNote}`,
    async () => {
      const job = writing('lost');
      await job.apply();
      const { spec } = await job.runningDriver(1);
      off = spec.nodeName ?? '';
      const began = Date.now();
      await power('kill', off);
      const isUnknown = async () => (await job.condition('Running')).startsWith('DriverUnknown');
      await job.until('it is not known whether its driver runs', isUnknown, 120);
      figure(3, `the loss was reported after ${seconds(began, Date.now())}`);
      expect(await job.status(), 'no second driver may start').toMatchObject({ attempt: 1 });
      expect((await job.pods('driver')).length).toBe(1);
      await kubectl(['delete', 'node', off]);
      const { ended } = await job.until('attempt 2 has begun', ({ attempt }) => attempt === 2, 180);
      expect(ended?.[0]).toMatchObject({ attempt: 1, budget: 'preemption' });
      await endsWell(job, 2);
    },
    600_000 * slower,
  );
});
