import { expect, test } from 'vitest';
import { databaseSpec, withDefaults } from '../../../../crds/index.js';
import {
  DatabaseArchive,
  DatabasePod,
  DatabaseRepository,
  type DatabaseSpecInput,
  DatabaseWorker,
  instanceRevision,
} from '../../../../src/index.js';
import { backup, bucket, least, rendered } from '../given-database.js';

const said = {
  podTemplate: {
    nodeSelector: { disk: 'fast' },
    tolerations: [{ key: 'data', operator: 'Exists' }],
    imagePullSecrets: [{ name: 'registry' }],
  },
} satisfies Partial<DatabaseSpecInput>;

/** Every Pod that a Database can have. */
function allOf(input: Partial<DatabaseSpecInput>) {
  const stated = withDefaults(databaseSpec, { ...least, ...input });
  const spec = { ...stated, backup: stated.backup ?? expect.fail() };
  const common = { name: 'orders', image: 'postgres:15', spec };
  const worker = { ...common, namespace: 'shop', database: 'orders', backup: 'orders-now' };
  const objects = rendered((chart) => {
    new DatabasePod(chart, 'pod', { ...common, instance: 'orders-1' });
    new DatabaseRepository(chart, 'repository', { ...common, instances: [] });
    new DatabaseArchive(chart, 'archive', { ...common, claim: 'earlier-repo' });
    for (const task of ['make', 'verify', 'expire'] as const)
      new DatabaseWorker(chart, task, { ...worker, name: task, task });
  });
  return objects.filter(({ kind }) => kind === 'Pod');
}

/** Their specs, by name. */
const podsOf = (input: Partial<DatabaseSpecInput>) =>
  allOf(input).map(({ metadata, spec }) => [metadata.name, spec] as const);

test('every Pod of a Database runs where its spec says, by the credentials that it names', () => {
  const { nodeSelector, tolerations, imagePullSecrets } = said.podTemplate;
  const pods = podsOf(said);
  expect(pods.map(([name]) => name)).toEqual([
    'orders-1',
    'orders-repo',
    expect.any(String),
    'make',
    'verify',
    'expire',
  ]);
  for (const [name, pod] of pods) expect(pod, name).toMatchObject({ nodeSelector, tolerations, imagePullSecrets });
});

test('says nothing of it where its spec says nothing, as where it says that there is none', () => {
  const none = { podTemplate: { nodeSelector: {}, tolerations: [], imagePullSecrets: [] } };
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
  expect(revision({ podTemplate: { nodeSelector: {} } })).toBe(revision({}));
});

test('line 6: who writes to the volume of the backups runs beside the Pod that has it: it is for one node at a time', () => {
  const pods = new Map(podsOf({ backup }));
  const beside = (name: string) =>
    pods.get(name)?.['affinity']?.podAffinity.requiredDuringSchedulingIgnoredDuringExecution;
  for (const task of ['make', 'expire'])
    expect(beside(task), task).toEqual([
      {
        labelSelector: { matchLabels: { 'reconstruct.dev/repository': 'orders' } },
        topologyKey: 'kubernetes.io/hostname',
      },
    ]);
  // It restores over the network, into a volume of its own.
  expect(beside('verify')).toBeUndefined();
  const labelled = allOf({ backup }).filter(
    ({ metadata }) => metadata.labels?.['reconstruct.dev/repository'] === 'orders',
  );
  expect(labelled.map(({ metadata }) => metadata.name)).toEqual(['orders-repo']);
});

test('line 6: who writes to a bucket runs anywhere', () => {
  for (const [name, pod] of podsOf({ backup: bucket })) expect(pod['affinity'], name).toBeUndefined();
});
