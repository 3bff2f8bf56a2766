import { afterAll, beforeAll, describe, it } from 'vitest';
import { projectImage } from '../../images/project-images.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { AlertWatch, unwatched, watchNote } from '../monitoring/alert-watch.js';
import { givePrograms, pi, running, TriedSpark } from './tried-spark.js';

const namespace = givenNamespace('spark-watched');
const failing = new TriedSpark(namespace, 'failing', {
  ...running('fails.py', 'exit:2'),
  retry: { rules: [{ when: { exitCodes: [2] }, do: 'Fail' }] },
});
const unpulled = new TriedSpark(
  namespace,
  'unpulled',
  pi({ image: 'registry.alien6.io/reconstruct/spark:absent', version: '4.3' }),
);

describe.skipIf(unwatched)(`line 12: the alerts of SparkJobs in a real Prometheus${watchNote}`, () => {
  let watch: AlertWatch;

  beforeAll(async () => {
    await givePrograms(namespace);
    watch = await AlertWatch.start('spark', 12);
    await watch.untilCalm(namespace);
  }, 240_000);
  afterAll(async () => {
    for (const job of [failing, unpulled]) await job.delete().catch(() => {});
    await watch?.stop();
  });

  it('a job that fails, and a job whose image cannot be pulled', async () => {
    await Promise.all([
      watch.show({
        alert: { alertname: 'SparkJobFailed', reason: 'RuleFails' },
        begin: async () => {
          await failing.apply();
          await failing.ended();
        },
        end: () => failing.delete(),
      }),
      watch.show({
        alert: { alertname: 'SparkJobNotStarting', reason: 'ImageUnavailable' },
        begin: () => unpulled.apply(),
        end: () => unpulled.apply({ image: projectImage('spark', '4.3.0') }),
      }),
    ]);
  }, 420_000);
});
