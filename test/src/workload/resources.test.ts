import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { databaseSpec, withDefaults } from '../../../crds/index.js';
import {
  containerResources,
  DatabaseArchive,
  DatabasePod,
  DatabaseRepository,
  type DatabaseSpecInput,
  DatabaseWorker,
  GatewayProxies,
  requestProblems,
} from '../../../src/index.js';
import { backup, least, rendered, renderedDatabase } from '../database/given-database.js';
import { type Rendered, renderedAlgorithm } from '../given-rendered.js';

const defaults = { requests: { cpu: '100m', memory: '256Mi' }, limits: { cpu: '2', memory: '1Gi' } };

describe('requests and limits of a container', () => {
  test.each([
    [undefined, ['100m', '256Mi'], ['2', '1Gi']],
    [{}, ['100m', '256Mi'], ['2', '1Gi']],
    // A request that is higher than the default limit raises it.
    [{ requests: { cpu: 4, memory: '2048Mi' } }, ['4', '2Gi'], ['4', '2Gi']],
    // As in a Pod, a limit is also the request.
    [{ limits: { cpu: '50m', memory: '64Mi' } }, ['50m', '64Mi'], ['50m', '64Mi']],
    [{ requests: { cpu: '1' }, limits: { cpu: '1500m' } }, ['1', '256Mi'], ['1500m', '1Gi']],
    [{ requests: { cpu: 0 }, limits: { memory: '512Mi' } }, ['0', '512Mi'], ['2', '512Mi']],
  ])('%j', (stated, [cpu, memory], [cpuLimit, memoryLimit]) => {
    const expected = { requests: { cpu, memory }, limits: { cpu: cpuLimit, memory: memoryLimit } };
    expect(containerResources(stated, defaults)).toEqual(expected);
  });

  test.each([
    [
      { requests: { cpu: 2 }, limits: { cpu: '1500m' } },
      ['r.requests.cpu: Invalid value: 2: must be at most limits.cpu, 1500m; lower requests.cpu or raise limits.cpu'],
    ],
    [{ requests: { memory: '1Gi' }, limits: { memory: '1024Mi' } }, []],
    [{ requests: { cpu: 9 } }, []],
    [undefined, []],
  ])('problems of %j', (stated, problems) => {
    expect(requestProblems('r', stated)).toEqual(problems);
  });
});

type Containers = readonly { readonly name: string; readonly resources?: object }[];

function containersOf({
  kind,
  metadata,
  ...object
}: Rendered): readonly (readonly [where: string, resources: unknown])[] {
  const spec = kind === 'Pod' ? object['spec'] : object['spec']?.template?.spec;
  const containers: Containers = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
  return containers.map(({ name, resources }) => [`${metadata.name} ${name}`, resources]);
}

/** Every Pod that a Database can have. */
function podsOf(input: Partial<DatabaseSpecInput> = {}) {
  const stated = withDefaults(databaseSpec, { ...least, ...input });
  const spec = { ...stated, backup: stated.backup ?? expect.fail() };
  const common = { name: 'orders', image: 'postgres:15', spec };
  const worker = { ...common, namespace: 'shop', database: 'orders', backup: 'orders-now', instance: 'orders-1' };
  return rendered((chart) => {
    new DatabasePod(chart, 'pod', { ...common, instance: 'orders-1' });
    new DatabaseRepository(chart, 'repository', { ...common, instances: [] });
    new DatabaseArchive(chart, 'archive', { ...common, claim: 'earlier-repo' });
    for (const task of ['make', 'verify', 'expire', 'close'] as const)
      new DatabaseWorker(chart, task, { ...worker, name: task, task });
  }).flatMap(containersOf);
}

const proxies = (resources?: object) =>
  rendered((chart) => {
    new GatewayProxies(chart, 'proxies', { workloads: ['Deployment', 'DaemonSet'], resources });
  }).flatMap(containersOf);

const amounts = { cpu: expect.any(String), memory: expect.any(String) };
const bounded = { requests: expect.objectContaining(amounts), limits: expect.objectContaining(amounts) };

describe('every container has requests and limits of CPU and memory', () => {
  test.each([
    ['an Algorithm', 1, () => renderedAlgorithm('reco', {}).flatMap(containersOf)],
    [
      'an Algorithm with a GPU',
      1,
      () => renderedAlgorithm('reco', { resources: { gpu: 'a/b' } }).flatMap(containersOf),
    ],
    ['the proxies of a Gateway', 2, () => proxies()],
    ['a Database and its backups', 8, () => podsOf()],
  ])('%s', (_what, count, of) => {
    const containers = of();
    expect(containers).toHaveLength(count);
    for (const [name, resources] of containers) expect(resources, name).toEqual(bounded);
  });
});

describe('every container has a field for them', () => {
  const asked = { requests: { cpu: '11m', memory: '12Mi' }, limits: { cpu: '13m', memory: '14Mi' } };
  const withField = (input: Partial<DatabaseSpecInput>) =>
    podsOf(input)
      .filter(([, resources]) => isDeepStrictEqual(resources, asked))
      .map(([name]) => name);

  test.each([
    ['resources', { resources: asked }, ['orders-1 postgres']],
    [
      'backup.resources',
      { backup: { ...backup, resources: asked } },
      ['make', 'verify', 'expire', 'close'].map((task) => `${task} worker`),
    ],
    [
      'backup.serverResources',
      { backup: { ...backup, serverResources: asked } },
      ['orders-1 pgbackrest', 'orders-repo pgbackrest', 'orders-archive pgbackrest'],
    ],
  ])('%s', (_field, input, containers) => {
    expect(withField(input)).toEqual(containers);
  });

  test('resources of an Algorithm', () => {
    expect(renderedAlgorithm('reco', { resources: asked }).flatMap(containersOf)).toEqual([['reco algorithm', asked]]);
  });

  test('resources of the proxies', () => {
    expect(proxies(asked).map(([, resources]) => resources)).toEqual([asked, asked]);
  });

  test.each(['resources', 'serverResources'])('backup.%s is refused with a request above its limit', (field) => {
    const wrong = { requests: { cpu: 2 }, limits: { cpu: 1 } };
    expect(() => renderedDatabase({ backup: { ...backup, [field]: wrong } })).toThrow(
      `backup.${field}.requests.cpu: Invalid value: 2: must be at most limits.cpu, 1`,
    );
  });
});
