import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { figure, seconds } from '../algorithm/figure.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { slower } from '../cluster/kill-mode.js';
import { applied } from '../cluster/kubectl.js';
import { givePrograms, small, TriedTraining } from './tried-training.js';

const namespace = givenNamespace('training-quota');

describe('two TrainingJobs under one ResourceQuota with room for one of them', () => {
  const spec = { ...small({ STEPS: 1_500, STEP_PAUSE: 0.2 }), workers: 3 };
  const jobs = ['one', 'two'].map((name) => new TriedTraining(namespace, name, spec));
  const succeeded = ({ phase }: { readonly phase?: string }) => phase === 'Succeeded';
  /** The Pods of a job that are there, with that of its coordinator. */
  const podsOf = async (job: TriedTraining) => {
    const found = [...(await job.pods()), await job.coordinator()];
    return found.flatMap((pod) => (pod ? [pod.metadata.name] : []));
  };
  const hurry = async (job: TriedTraining) => {
    for (const { pod } of await job.ranks()) await job.tell(pod, 'hurry');
  };

  beforeAll(async () => {
    await givePrograms(namespace);
    // Three workers and a coordinator are four Pods, so the second job lacks two.
    const metadata = { namespace, name: 'team' };
    await applied({ apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec: { hard: { pods: '6' } } });
  });
  afterAll(async () => {
    for (const job of jobs) await job[Symbol.asyncDispose]();
  });

  it(
    'end one after the other, and the one that waits has no Pod and names the quota',
    async () => {
      await Promise.all(jobs.map((job) => job.apply()));
      const phases = async () => Promise.all(jobs.map(async (job) => (await job.status()).phase));
      await jobs[0]?.until('one of them runs', async () => (await phases()).includes('Running'), 240);
      const first = jobs[(await phases()).indexOf('Running')] ?? expect.fail('none runs any more');
      const second = jobs.find((job) => job !== first) ?? expect.fail('there is one job');
      // Both may have created a part of their Pods. One of them gives these back.
      await second.until('it has no Pod', async () => (await podsOf(second)).length === 0);
      const isTold = async () =>
        /^Queued: .*ResourceQuota team does not allow.*pods 4, with 2 of 6 left/.test(
          await second.condition('Scheduled'),
        );
      await second.until('Scheduled names the quota and what it lacks', isTold, 90);
      await pause(5_000);
      expect(await podsOf(second), `${second.name} waits`).toEqual([]);
      expect((await podsOf(first)).length, `${first.name} runs`).toBe(4);

      await hurry(first);
      const { completionTime: ended = '' } = await first.until('it has succeeded', succeeded, 240);
      await second.untilTraining({ within: 180 });
      await hurry(second);
      const { startTime: began = '', restarts } = await second.until('it has succeeded', succeeded, 240);
      expect(Date.parse(began), `${second.name} starts after the end of ${first.name}`).toBeGreaterThanOrEqual(
        Date.parse(ended),
      );
      expect(restarts?.total, 'a wait for the quota is no fault').toBe(0);
      figure(1, `the second job trains ${seconds(Date.parse(ended), Date.parse(began))} after the end of the first`);
    },
    900_000 * slower,
  );
});
