import { App, Chart } from 'cdk8s';
import { expect, test } from 'vitest';
import { desire } from '../../../../../operator/controllers/database/backup-schedule/desire.js';
import type { BackupScheduleView } from '../../../../../operator/controllers/database/backup-schedule/view.js';
import { factsOf } from '../../../../../operator/testing/index.js';
import type { Loose } from '../../../../given.js';
import { givenDatabase } from '../../database-backup/given-backup.js';

const [old, current] = ['registry.example.com/postgres:15.18', 'registry.example.com/postgres:15.20'];
const pod = (name: string, image: string, ready: 'True' | 'False' = 'True') => ({
  ...{ apiVersion: 'v1', kind: 'Pod', spec: { containers: [{ name: 'any', image }] } },
  metadata: { name, namespace: 'shop', labels: { 'reconstruct.dev/instance': name } },
  status: { conditions: [{ type: 'Ready', status: ready }] },
});

test.each([
  { is: current, when: 'there is no Pod of it yet', present: [], instances: [] },
  { is: old, when: 'no instance has another one yet', present: [old], instances: [pod('orders-1', old)] },
  {
    ...{ is: old, when: 'the first instance with another one does not get ready', present: [old] },
    instances: [pod('orders-1', old), pod('orders-2', current, 'False')],
  },
  {
    ...{ is: current, when: 'an instance with another one is ready', present: [old] },
    instances: [pod('orders-1', old), pod('orders-2', current)],
  },
])('line 5: the archive is served by $is when $when', ({ is, present, instances }) => {
  const owned = present.map((image) => pod('orders-repo', image));
  const about = { owned, siblings: instances, reads: { backups: [] }, now: new Date('2026-11-22T12:00:00Z') };
  const chart = new Chart(new App(), 'resource');
  desire(chart, factsOf(givenDatabase({ image: current }), about) as unknown as BackupScheduleView);
  const served = chart.toJson().find(({ kind }: Loose<object>) => kind === 'Pod');
  expect(served.spec.containers.map(({ image }: { image: string }) => image)).toEqual([is]);
});
