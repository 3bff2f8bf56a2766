import { ApiObject } from 'cdk8s';
import { sparkJobSpec, withDefaults } from '../../../crds/index.js';
import type { SparkJobStatus } from '../../../imports/index.js';
import { conditions as ofSpark } from '../../../operator/controllers/spark/conditions.js';
import {
  SparkAttemptObjects,
  SparkHistoryServer,
  SparkSecret,
  SparkSharedObjects,
  sparkSelector,
} from '../../../src/index.js';
import { allTrue, apiVersion, type GivenSystem, now, observedGeneration } from '../given-system.js';

const status: SparkJobStatus = {
  ...{ observedGeneration, state: 'Succeeded', run: 1, attempt: 2, attempts: '2/4', executors: '0/2' },
  driver: { pod: 'clean-1-2-driver', uid: 'given', node: 'node-1', startTime: now },
  ended: [
    { run: 1, attempt: 2, pod: 'clean-1-2-driver', endTime: now },
    { run: 1, attempt: 1, pod: 'clean-1-1-driver', endTime: now, exitCode: 1, reason: 'Error', budget: 'run' },
  ],
  ...{ startTime: now, completionTime: now, exitCode: 0, conditions: allTrue(ofSpark) },
};

const clean = { main: 'local:///app/clean.py' };

export const given = {
  resources: ['clean', 'pi'].map((name) => ({
    ...{ apiVersion, kind: 'SparkJob', metadata: { name } },
    ...{ spec: clean, status },
  })),
  objects: (chart, namespace) => {
    const job = { name: 'clean', namespace };
    new SparkSharedObjects(chart, 'spark', job);
    new SparkHistoryServer(chart, 'history', { claimName: 'event-logs' });
    // Drivers create executors, and none runs here.
    new ApiObject(chart, 'executor', {
      ...{ apiVersion: 'v1', kind: 'Pod' },
      metadata: { name: 'clean-exec-1', labels: sparkSelector('clean', 'executor') },
      spec: { containers: [{ name: 'executor', image: 'spark:4.3.0' }] },
    });
    new SparkSecret(chart, 'spark-secret', { ...job, secret: 'given' });
    for (const attempt of [1, 2])
      new SparkAttemptObjects(chart, `spark-attempt-${attempt}`, {
        ...{ ...job, uid: 'given', spec: withDefaults(sparkJobSpec, clean), ref: { run: 1, attempt } },
      });
  },
} satisfies GivenSystem;
