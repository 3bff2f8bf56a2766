import { expect, test } from 'vitest';
import { databaseSpec, withDefaults } from '../../../crds/index.js';
import {
  DatabaseArchive,
  DatabasePod,
  DatabaseRepository,
  type DatabaseSpecInput,
  DatabaseWorker,
  instanceRevision,
} from '../../../src/index.js';
import { backup, least, rendered } from './given-database.js';

const said = {
  placement: { nodeSelector: { disk: 'fast' }, tolerations: [{ key: 'data', operator: 'Exists' }] },
  imagePullSecrets: [{ name: 'registry' }],
} satisfies Partial<DatabaseSpecInput>;

/** Every Pod that a Database can have, by name. */
function podsOf(input: Partial<DatabaseSpecInput>) {
  const spec = {
    ...withDefaults(databaseSpec, { ...least, ...input }),
    backup: withDefaults(databaseSpec, least).backup ?? expect.fail(),
  };
  const common = { name: 'orders', image: 'postgres:15', spec };
  const worker = { ...common, namespace: 'shop', database: 'orders', backup: 'orders-now' };
  const objects = rendered((chart) => {
    new DatabasePod(chart, 'pod', { ...common, instance: 'orders-1' });
    new DatabaseRepository(chart, 'repository', { ...common, instances: [] });
    new DatabaseArchive(chart, 'archive', { ...common, claim: 'earlier-repo' });
    for (const task of ['make', 'verify', 'expire'] as const)
      new DatabaseWorker(chart, task, { ...worker, name: task, task });
  });
  return objects.filter(({ kind }) => kind === 'Pod').map(({ metadata, spec: pod }) => [metadata.name, pod] as const);
}

test('every Pod of a Database runs where its spec says, by the credentials that it names', () => {
  const { nodeSelector, tolerations } = said.placement;
  const pods = podsOf(said);
  expect(pods.map(([name]) => name)).toEqual([
    'orders-1',
    'orders-repo',
    expect.any(String),
    'make',
    'verify',
    'expire',
  ]);
  for (const [name, pod] of pods)
    expect(pod, name).toMatchObject({ nodeSelector, tolerations, imagePullSecrets: said.imagePullSecrets });
});

test('says nothing of it where its spec says nothing, as where it says that there is none', () => {
  const none = { placement: { nodeSelector: {}, tolerations: [] }, imagePullSecrets: [] };
  for (const [name, pod] of [...podsOf({ backup }), ...podsOf(none)]) {
    const stated = Object.keys(pod).filter((key) => /nodeSelector|tolerations|imagePullSecrets/.test(key));
    expect(stated, name).toEqual([]);
  }
});

test('line 5: another place is an update', () => {
  const revision = (input: Partial<DatabaseSpecInput>) =>
    instanceRevision(
      { name: 'orders', namespace: 'shop' },
      { spec: withDefaults(databaseSpec, { ...least, ...input }), image: 'x' },
    );
  expect(revision(said)).not.toBe(revision({}));
  expect(revision({ placement: { nodeSelector: {} } })).toBe(revision({}));
});
