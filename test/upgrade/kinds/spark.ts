import { readFile } from 'node:fs/promises';
import { running } from '../../e2e/spark/tried-spark.js';
import { resource, type UpgradedKind } from '../upgraded-kind.js';

/** A driver that runs with its executor until it is deleted. */
export const upgraded = {
  controllers: ['sparkjob'],
  objects: async (namespace) => {
    const data = { 'hangs.py': await readFile('test/e2e/spark/hangs.py', 'utf8') };
    return [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'programs', namespace }, data },
      resource('SparkJob', { name: 'open', namespace }, running('hangs.py', 'open')),
    ];
  },
  resources: () => [{ resource: 'sj/open' }],
  isReady: (_, { state, executors }) => state === 'Running' && executors === '1/1',
} satisfies UpgradedKind;
