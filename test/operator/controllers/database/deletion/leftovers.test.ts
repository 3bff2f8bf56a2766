import { expect, it } from 'vitest';
import type { DatabaseSpecInput } from '../../../../../imports/index.js';
import { foreignLeftovers } from '../../../../../operator/controllers/database/deletion/index.js';
import { ConfigMap } from '../../../../../operator/runtime/index.js';
import { givenDatabase } from '../../database-backup/given-backup.js';

const deleted = (deletionPolicy: DatabaseSpecInput['deletionPolicy'], annotations = {}) =>
  givenDatabase({ deletionPolicy }, { meta: { deletionTimestamp: '2026-11-22T00:00:00Z', annotations } });
const all = ['orders-leader', 'orders-sync'];
const skip = { 'reconstruct.dev/skip-final-snapshot': 'true' };

it.each([
  { goes: all, when: 'all is to go', resource: deleted('Delete') },
  { goes: all, when: 'its last backup is given up', resource: deleted('Snapshot', skip) },
  { goes: [], when: 'its last backup is not made', resource: deleted('Snapshot') },
  { goes: [], when: 'its volumes stay', resource: deleted('Retain') },
])('line 8: of what Patroni keeps $goes goes with a Database when $when', ({ goes, resource }) => {
  expect(foreignLeftovers(resource).map(({ name }) => name)).toEqual(goes);
});

it('line 8: what Patroni keeps is told by the labels that its settings say', () => {
  const [leader] = foreignLeftovers(deleted('Delete'));
  expect(leader).toEqual({
    ...{ kind: ConfigMap, name: 'orders-leader' },
    labels: { 'reconstruct.dev/database': 'orders', 'cluster-name': 'orders' },
  });
});
