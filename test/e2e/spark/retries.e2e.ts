import { beforeAll, describe, expect, it } from 'vitest';
import type { SparkJobSpecInput } from '../../../imports/index.js';
import { figure, seconds } from '../algorithm/figure.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { slower } from '../cluster/kill-mode.js';
import { givePrograms, running, small, TriedSpark } from './tried-spark.js';

const namespace = givenNamespace('spark-retries');
const job = (name: string, spec: SparkJobSpecInput) => new TriedSpark(namespace, name, spec);
const backoff = { initial: '2s', jitter: 0 } as const;
const more = [{ when: { reason: ['OOMKilled'] }, do: 'Retry', with: { memoryFactor: 2, max: '2Gi' } }] as const;

interface WithResources {
  readonly resources?: { readonly limits?: Readonly<Record<string, string>> };
}

describe('the attempts of a SparkJob', () => {
  beforeAll(() => givePrograms(namespace));

  it(
    'an exception is retried after the backoff, and the exception is in the status',
    async () => {
      const raises = job('raises', running('fails.py', 'raise:no such day', 'succeed'));
      await raises.apply();
      const waiting = await raises.until('it waits', ({ state }) => state === 'WaitingForRetry', 180);
      expect(waiting.ended?.[0]).toMatchObject({ attempt: 1, exitCode: 1, budget: 'run' });
      expect(waiting.ended?.[0]?.message).toContain('ValueError: no such day');
      expect(await raises.condition('Running')).toMatch(
        /^Retrying: Attempt 1 failed: .*Retry 1 of 3 of the budget run/,
      );
      const status = await raises.ended();
      expect(status).toMatchObject({ state: 'Succeeded', attempt: 2, retriesUsed: 1, exitCode: 0 });
      const [second] = (await raises.pods('driver')).slice(-1);
      const due = Date.parse(waiting.nextAttemptTime ?? '');
      const created = Date.parse(second?.metadata.creationTimestamp ?? '');
      figure(3, `attempt 2 was created ${seconds(due, created)} after its time`);
      expect(created, 'not before its time').toBeGreaterThanOrEqual(due);
    },
    360_000 * slower,
  );

  it(
    'an exit code with the rule Fail ends the job at once',
    async () => {
      const rules = [{ when: { exitCodes: [2] }, do: 'Fail' }] as const;
      const exits = job('exits', { ...running('fails.py', 'exit:2'), retry: { rules: [...rules], backoff } });
      await exits.apply();
      const status = await exits.ended();
      expect(status).toMatchObject({ state: 'Failed', attempt: 1, exitCode: 2, retriesUsed: 0 });
      expect(await exits.condition('Running')).toMatch(/^RuleFails: Attempt 1 failed: exit code 2/);
    },
    240_000 * slower,
  );

  it(
    'a job whose budget is spent has failed, and is not run again',
    async () => {
      const fails = job('fails', { ...running('fails.py', 'exit:7'), retry: { budgets: { run: 1 }, backoff } });
      await fails.apply();
      const status = await fails.ended(300);
      expect(status).toMatchObject({ state: 'Failed', attempt: 2, exitCode: 7, retriesUsed: 1 });
      expect(await fails.condition('Running')).toMatch(/^BudgetSpent: Attempt 2 failed: exit code 7/);
      await fails.apply({ args: ['succeed'] });
      await fails.until('its edit was seen', async () => {
        const { metadata, status: now } = (await fails.resource()) ?? {};
        return now?.observedGeneration === metadata?.generation;
      });
      expect((await fails.pods('driver')).map(({ metadata }) => metadata.name)).toEqual([
        'fails-1-1-driver',
        'fails-1-2-driver',
      ]);
    },
    420_000 * slower,
  );

  it(
    'a driver that was out of memory has twice as much in its next attempt',
    async () => {
      const hog = job('driver-hog', {
        ...running('hog.py', 'driver-python', '560'),
        retry: { rules: [...more], backoff },
      });
      await hog.apply();
      const status = await hog.ended(300);
      expect(status.ended?.[1]).toMatchObject({ attempt: 1, reason: 'OOMKilled', exitCode: 137 });
      expect(status).toMatchObject({ state: 'Succeeded', attempt: 2, retries: { memory: { driver: { factor: 2 } } } });
      const limits = (await hog.pods('driver')).map(({ spec }) => limitOf(spec.containers[0]));
      expect(limits).toEqual(['768Mi', '1536Mi']);
    },
    420_000 * slower,
  );

  it(
    'executors that were out of memory have twice as much in the next attempt',
    async () => {
      const hog = job('executor-hog', {
        ...running('hog.py', 'executor-python', '560'),
        config: { 'spark.task.maxFailures': '1' },
        retry: { rules: [...more], backoff },
      });
      await hog.apply();
      await hog.runningDriver(2);
      const limits = (await hog.pods('executor')).filter(({ metadata }) =>
        metadata.labels?.['spark-app-selector']?.endsWith('-1-2'),
      );
      expect(limits.map(({ spec }) => limitOf(spec.containers[0]))).toEqual(['1536Mi']);
      const status = await hog.ended(300);
      expect(status.ended?.[1]).toMatchObject({ attempt: 1, reason: 'OOMKilled' });
      expect(status).toMatchObject({
        state: 'Succeeded',
        attempt: 2,
        retries: { memory: { executor: { factor: 2 } } },
      });
    },
    480_000 * slower,
  );

  it(
    'an edit stops the driver, and starts the job again when the driver is gone',
    async () => {
      const edited = job('edited', running('hangs.py', 'open'));
      await edited.apply();
      const { metadata } = await edited.runningDriver(1);
      await edited.apply({ main: 'local:///app/fails.py', args: ['succeed'] });
      const second = await edited.until('it has another driver', async ({ run, driver }) => {
        const live = (await edited.pods('driver')).filter(({ status }) => !isOver(status?.phase));
        expect(live.length, 'one driver at a time').toBeLessThanOrEqual(1);
        return run === 2 && driver !== undefined;
      });
      expect(second.driver?.uid).not.toBe(metadata.uid);
      expect(await edited.ended()).toMatchObject({ state: 'Succeeded', run: 2, attempt: 1, retriesUsed: 0 });
    },
    420_000 * slower,
  );

  it(
    'a job that is suspended has no Pods, and starts from the beginning when it is resumed',
    async () => {
      const suspended = job('suspended', { ...running('hangs.py', 'open'), executors: { ...small.executors } });
      await suspended.apply();
      await suspended.runningDriver(1);
      await suspended.apply({ suspend: true });
      await suspended.until('it is suspended', ({ state }) => state === 'Suspended');
      await suspended.until('its executors are gone', async () => (await suspended.pods('executor')).length === 0);
      await suspended.apply({ suspend: false, main: 'local:///app/fails.py', args: ['succeed'] });
      expect(await suspended.ended()).toMatchObject({ state: 'Succeeded', run: 2, attempt: 1 });
    },
    420_000 * slower,
  );
});

const isOver = (phase: string | undefined) => phase === 'Succeeded' || phase === 'Failed';
const limitOf = (container: object | undefined) =>
  (container as WithResources | undefined)?.resources?.limits?.['memory'];
