import { type RenderedCase, resource } from '../rendered-case.js';

const least = { main: 'local:///app/clean.py' };
const job = (spec: object = {}) => [resource('SparkJob', 'clean', { ...least, ...spec })];
const rules = [
  { when: { exitCodes: [2] }, do: 'Fail' },
  { when: { reason: ['OOMKilled'] }, do: 'Retry', with: { memoryFactor: 1.5, max: '4Gi' } },
];

/** SparkJobs. */
export const cases = [
  {
    name: 'spark',
    objects: job({ executors: { replicas: 3 }, retry: { rules } }),
    edits: {
      'other arguments': job({ executors: { replicas: 3 }, args: ['--day', '2030-01-01'] }),
      suspended: job({ executors: { replicas: 3 }, args: ['--day', '2030-01-01'], suspend: true }),
      resumed: job({ executors: { replicas: 3 }, args: ['--day', '2030-01-01'] }),
    },
  },
  {
    name: 'spark-jar',
    objects: job({
      ...{ version: '3.5', main: 'local:///app/clean.jar', mainClass: 'com.example.Clean' },
      executors: { dynamic: { min: 1, max: 4 }, cores: 2 },
      driver: { podTemplate: { env: [{ name: 'REGION', value: 'eu' }] } },
      dependencies: { packages: ['org.apache.hadoop:hadoop-aws:3.4.1'] },
      ...{ activeDeadline: '2h', cleanPods: 'All' },
    }),
  },
] satisfies readonly RenderedCase[];
