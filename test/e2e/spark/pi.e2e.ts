import { describe, expect, it } from 'vitest';
import { ConfigMap } from '../../../operator/index.js';
import { figure, seconds } from '../algorithm/figure.js';
import { listed } from '../cluster/api.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { slower } from '../cluster/kill-mode.js';
import { kubectl } from '../cluster/kubectl.js';
import { pi, small, TriedSpark } from './tried-spark.js';

const namespace = givenNamespace('spark');

/** Whether the ServiceAccount of a job may do something. */
async function mayDo(job: string, ...what: readonly string[]): Promise<boolean> {
  const as = `--as=system:serviceaccount:${namespace}:${job}-spark`;
  // The answer "no" is also an exit code.
  const answer = await kubectl(['auth', 'can-i', ...what, as]).catch(() => 'no');
  return answer.trim() === 'yes';
}

describe.each(['4.3', '3.5'] as const)('a SparkJob with Spark %s', (version) => {
  const job = new TriedSpark(
    namespace,
    `pi-${version.replace('.', '')}`,
    pi({ version, executors: { ...small.executors, replicas: 3 } }),
  );
  const driver = `${job.name}-1-1-driver`;

  it(
    'computes pi with three executors, and succeeds in its first attempt',
    async () => {
      const began = Date.now();
      await job.apply();
      await job.until('all executors run', ({ executors }) => executors === '3/3', 180);
      const withExecutors = Date.now();
      const status = await job.ended();
      const times = `three executors after ${seconds(began, withExecutors)}, ended after ${seconds(began, Date.now())}`;
      figure(1, `Spark ${version}: ${times}, duration ${status.duration}`);
      expect(status).toMatchObject({ state: 'Succeeded', run: 1, attempt: 1, exitCode: 0, retriesUsed: 0 });
      expect(status.duration).toMatch(/^\d/);
      expect(status.version, 'the version that executors report').toMatch(new RegExp(`^${version}\\.`));
      expect(await job.condition('Ready')).toMatch(/^Ready:/);
      expect(await job.log(driver)).toMatch(/Pi is roughly 3\.1/);
    },
    300_000 * slower,
  );

  it(
    'leaves the driver with its log, and neither executors nor ConfigMaps',
    async () => {
      await job.until('its executors are gone', async () => (await job.pods('executor')).length === 0);
      const labelSelector = `reconstruct.dev/spark-job=${job.name}`;
      await job.until(
        'its ConfigMap is gone',
        async () => (await listed(ConfigMap, { namespace, labelSelector })).length === 0,
      );
      expect((await job.pods('driver')).map(({ metadata }) => metadata.name)).toEqual([driver]);
    },
    120_000 * slower,
  );

  it('is deleted with its Pods at the end of ttlAfterFinished', async () => {
    await job.apply({ ttlAfterFinished: '1s' });
    await job.until('it is gone', async () => (await job.resource()) === undefined);
    expect(await job.pods('driver')).toEqual([]);
  });
});

describe('the driver of a SparkJob', () => {
  it(
    'can create executors in its namespace, and read no Secrets and no other namespace',
    async () => {
      const job = new TriedSpark(namespace, 'rights', pi());
      await job.apply();
      await job.until('it has a driver', ({ driver }) => driver !== undefined);
      expect(await mayDo('rights', 'create', 'pods', '-n', namespace)).toBe(true);
      expect(await mayDo('rights', 'get', 'secrets', '-n', namespace)).toBe(false);
      expect(await mayDo('rights', 'create', 'configmaps', '-n', namespace)).toBe(false);
      expect(await mayDo('rights', 'create', 'pods', '-n', 'default')).toBe(false);
      expect(await mayDo('rights', 'list', 'nodes')).toBe(false);
      await job.delete();
      await job.until('its Pods are gone', async () => (await job.pods('driver')).length === 0);
    },
    120_000 * slower,
  );
});
