import type { SparkJobResource } from '../../../imports/index.js';

/** Attempts that have ended, the newest first. */
const ended = [
  {
    ...{ run: 2, attempt: 1, pod: 'clean-2-1-driver', node: 'node-1', budget: 'run' },
    ...{ startTime: '2029-12-31T23:50:00Z', endTime: '2029-12-31T23:53:12Z' },
    ...{ exitCode: 137, reason: 'OOMKilled', message: 'The memory limit of the driver was exceeded' },
  },
  {
    run: 1,
    attempt: 3,
    pod: 'clean-1-3-driver',
    endTime: '2029-12-31T23:40:00Z',
    reason: 'QuotaExceeded',
    budget: 'submission',
  },
  { run: 1, attempt: 2, pod: 'clean-1-2-driver', startTime: '2029-12-31T23:30:00Z', endTime: '2029-12-31T23:31:00Z' },
];

/** A SparkJob whose second attempt runs after an edit. */
export function sparkJob(status: object = {}): SparkJobResource {
  return {
    ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'SparkJob' },
    metadata: { name: 'clean', namespace: 'shop', uid: 'uid', generation: 2 },
    spec: {},
    status: {
      ...{ state: 'Running', run: 2, attempt: 2, ended },
      driver: { pod: 'clean-2-2-driver', uid: 'uid-2-2', node: 'node-2', startTime: '2029-12-31T23:58:00Z' },
      ...status,
    },
  } as unknown as SparkJobResource;
}
