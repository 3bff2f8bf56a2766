import { beforeAll, describe, expect, it } from 'vitest';
import type { SparkJobSpecInput } from '../../../imports/index.js';
import { figure } from '../algorithm/figure.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { slower } from '../cluster/kill-mode.js';
import { applied, kubectl } from '../cluster/kubectl.js';
import { givePrograms, pi, running, TriedSpark } from './tried-spark.js';

const namespace = givenNamespace('spark-ends');
/** Where a ResourceQuota has no room. */
const full = givenNamespace('spark-full');
const once = { budgets: { run: 0, submission: 0 } } as const;

async function failed(place: string, name: string, spec: SparkJobSpecInput) {
  const job = new TriedSpark(place, name, spec);
  await job.apply();
  const status = await job.ended(240);
  expect(status.state).toBe('Failed');
  figure(4, `${name}: ${await job.condition('Running')}`);
  return { job, status };
}

/** Leaves room for so many Pods. */
async function quota(pods: number): Promise<void> {
  await applied({
    ...{ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { namespace: full, name: 'room' } },
    spec: { hard: { pods: String(pods) } },
  });
}

describe('jobs that would never end', () => {
  beforeAll(async () => {
    await givePrograms(namespace);
    await givePrograms(full);
  });

  it(
    'a driver that does not exit after its SparkContext ends with a reason, and is not run again',
    async () => {
      const { job, status } = await failed(namespace, 'hangs', { ...running('hangs.py', 'python'), exitWithin: '10s' });
      expect(status).toMatchObject({ attempt: 1, retriesUsed: 0 });
      expect(await job.condition('Running')).toMatch(/^DriverDidNotExit: .*exitWithin, 10s.*its result is not known/);
      await job.until('its Pods are gone', async () => (await job.pods('driver')).length === 0);
    },
    300_000 * slower,
  );

  it(
    'executors that fail at their start again and again end the job, with the words of one of them',
    async () => {
      const config = {
        'spark.executor.extraJavaOptions': '-javaagent:/absent.jar',
        'spark.executor.maxNumFailures': '2',
      };
      const { job, status } = await failed(namespace, 'bogus', pi({ config, retry: once }));
      expect(status.ended?.[0]).toMatchObject({ reason: 'ExecutorsFailed', budget: 'run' });
      expect(await job.condition('Running')).toMatch(/^BudgetSpent: .*maxNumFailures.*Pod \S+-exec-\d+ failed: /);
      await job.until('its executors are gone', async () => (await job.pods('executor')).length === 0);
    },
    300_000 * slower,
  );

  it(
    'a driver whose image cannot be pulled ends the job after startWithin',
    async () => {
      const image = 'registry.alien6.io/reconstruct/spark:absent';
      const { job, status } = await failed(namespace, 'unpulled', pi({ image, startWithin: '15s', retry: once }));
      expect(status.ended?.[0]).toMatchObject({ reason: 'DriverNotStarted', budget: 'submission' });
      expect(await job.condition('Running')).toMatch(/spark:absent cannot be pulled/);
    },
    240_000 * slower,
  );

  it(
    'a namespace without room for the driver ends the job, and the quota is named',
    async () => {
      await quota(0);
      const retry = { budgets: { submission: 1 }, backoff: { initial: '2s', jitter: 0 } };
      const { job, status } = await failed(full, 'refused', pi({ retry }));
      expect(status).toMatchObject({ attempt: 2, retriesUsed: 1 });
      expect(status.ended?.map(({ reason, budget }) => `${reason} ${budget}`)).toEqual([
        'QuotaExceeded submission',
        'QuotaExceeded submission',
      ]);
      expect(await job.condition('Running')).toMatch(/^BudgetSpent: .*exceeded quota: room/);
    },
    240_000 * slower,
  );

  it(
    'a namespace without room for executors ends the job after startWithin',
    async () => {
      await quota(1);
      const spec = pi({ version: '3.5', startWithin: '15s', retry: once });
      const { job, status } = await failed(full, 'alone', spec);
      expect(status.ended?.[0]).toMatchObject({ reason: 'ExecutorsNotStarted', budget: 'submission' });
      expect(await job.condition('Running')).toMatch(/No executor ran for startWithin, 15s/);
      await kubectl(['--namespace', full, 'delete', 'resourcequota', 'room']);
    },
    240_000 * slower,
  );
});
