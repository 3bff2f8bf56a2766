import { describe, expect, it } from 'vitest';
import type { KnownKind } from '../../../cli/status/known-kinds.js';
import { type ListedResource, overviewLines, overviewOf } from '../../../cli/status/overview.js';
import { lookAt } from '../../../cli/status/status-look.js';
import { named } from '../../../cli/status.js';
import { ApiError } from '../../../operator/runtime/kubernetes/errors.js';
import type { ObjectKind } from '../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../../operator/runtime/ports/cluster.js';
import { MemoryCluster } from '../../../operator/testing/index.js';
import { widgetController, widgetKind } from '../../operator/runtime/given/widgets.js';
import { condition, good, now } from './given-conditions.js';
import { get } from './given-discovery.js';

const vocabulary = {
  conditions: { Sized: { Fits: ['True', 'It fits'], TooSmall: ['False', 'It is too small', 'Raise it.'] } },
  rejections: {},
} as const;
const widgets: KnownKind = { kind: widgetKind, controllers: [], vocabulary };
const issuers: ObjectKind = { ...widgetKind, kind: 'ClusterIssuer', plural: 'clusterissuers', namespaced: false };

const conditionsOf = {
  good,
  bad: [
    condition('Ready', 'False', 'TooSmall', 'It is too small'),
    condition('Sized', 'False', 'TooSmall', 'It is too small'),
  ],
  starting: [condition('Ready', 'Unknown', 'Growing', 'm'.repeat(100)), condition('Sized', 'Unknown', 'Growing')],
  odd: [...good, condition('Sized', 'False', 'TooSmall')],
} as const;

async function given(): Promise<MemoryCluster> {
  const memory = new MemoryCluster({ now: () => now - 7_200_000 });
  const create = async (kind: ObjectKind, name: string, conditions: object, namespace?: string) => {
    const metadata = { name, ...(namespace && { namespace }) };
    const manifest: Manifest = { apiVersion: 'example.org/v1', kind: kind.kind, metadata };
    await memory.create(kind, manifest, { manager: 'user' });
    const reported = { ...manifest, status: { conditions, observedGeneration: 1 } };
    await memory.apply(kind, reported, { manager: 'operator', subresource: 'status' });
  };
  await create(widgetKind, 'a', conditionsOf.good, 'team');
  await create(widgetKind, 'b', conditionsOf.odd, 'team');
  await create(widgetKind, 'c', conditionsOf.starting, 'team');
  await create(widgetKind, 'd', conditionsOf.bad, 'team');
  await create(widgetKind, 'e', conditionsOf.bad, 'other');
  await create(issuers, 'company', conditionsOf.good);
  return memory;
}

describe('all resources', () => {
  it('have those that are not ready first, and below them what to do', async () => {
    const found = await overviewOf([widgets, { kind: issuers, controllers: [] }], {
      cluster: await given(),
      namespace: 'team',
      now,
    });
    expect(overviewLines(found, { namespace: 'team', now })).toEqual([
      'KIND           NAME     READY    REASON    AGE  MESSAGE',
      'Widget         d        False    TooSmall  2h   It is too small',
      `Widget         c        Unknown  Growing   2h   ${'m'.repeat(80)}`,
      'Widget         b        True     Ready     2h   -',
      'ClusterIssuer  company  True     Ready     2h   -',
      'Widget         a        True     Ready     2h   -',
      '',
      'Problems:',
      '  Widget team/d: Sized TooSmall: It is too small',
      '    To do: Raise it.',
      '  Widget team/b: Sized TooSmall: TooSmall is the reason',
      '    To do: Raise it.',
    ]);
  });

  it('of all namespaces have their namespace', async () => {
    const found = await overviewOf([widgets], { cluster: await given(), namespace: undefined, now });
    expect(overviewLines(found, { namespace: undefined, now }).slice(1, 3)).toEqual([
      'Widget  other/e  False    TooSmall  2h   It is too small',
      'Widget  team/d   False    TooSmall  2h   It is too small',
    ]);
  });

  it('leave out a kind that the user may not list, or that is not served, with a note', async () => {
    const memory = await given();
    const refusing = {
      list: async (...[kind, query]: Parameters<Cluster['list']>) => {
        if (kind.kind === 'ClusterIssuer')
          throw new ApiError('clusterissuers is forbidden', { code: 403, reason: 'Forbidden' });
        return memory.list(kind, query);
      },
    } as Cluster;
    const found = await overviewOf([widgets, { kind: issuers, controllers: [] }], {
      cluster: refusing,
      namespace: 'team',
      now,
    });
    expect(found.resources).toHaveLength(4);
    expect(overviewLines(found, { namespace: 'team', now }).at(-1)).toBe(
      'ClusterIssuer is not shown: clusterissuers is forbidden',
    );
  });

  it('show at most five problems', () => {
    const problem = { isProgress: false, type: 'Sized', reason: 'TooSmall', message: 'm' };
    const resources = Array.from({ length: 7 }, (_, index) => ({
      kind: 'Widget',
      name: `w${index}`,
      problems: [problem],
    })) as ListedResource[];
    const lines = overviewLines({ resources, notes: [] }, { namespace: 'team', now });
    expect(lines.filter((line) => line.startsWith('  Widget'))).toHaveLength(5);
    expect(lines.at(-1)).toBe('and 2 more; to show them, run reconstruct status KIND NAME');
  });

  it.each([
    { line: 'No resources in namespace team; to show all, use --all-namespaces', namespace: 'team' },
    { line: 'No resources in the cluster', namespace: undefined },
  ])('are none: $line', ({ line, namespace }) => {
    expect(overviewLines({ resources: [], notes: [] }, { namespace, now })).toEqual([line]);
  });
});

describe('a look', () => {
  const loaded = { controllers: [widgetController()], definitions: [] };

  it.each([
    {
      asked: { kind: 'widget', name: 'd', namespace: 'team' },
      isWrong: true,
      json: {
        kind: 'Widget',
        name: 'd',
        ready: 'False',
        problems: [{ type: 'Sized', reason: 'TooSmall', action: 'Raise it.' }],
      },
    },
    { asked: { kind: 'widget', name: 'a', namespace: 'team' }, isWrong: false, json: { ready: 'True', problems: [] } },
    {
      asked: { kind: 'wi', namespace: 'team' },
      isWrong: true,
      json: { resources: [{ name: 'd' }, { name: 'c' }, { name: 'b' }, { name: 'a' }] },
    },
    { asked: { namespace: 'team' }, isWrong: true, json: { resources: [{ kind: 'Widget' }, {}, {}, {}] } },
  ])('at $asked is wrong: $isWrong', async ({ asked, isWrong, json }) => {
    const look = await lookAt(asked, { loaded, cluster: await given(), get });
    const shown = await look(now);
    expect(shown.isWrong).toBe(isWrong);
    expect(JSON.parse(JSON.stringify(shown.json))).toMatchObject(json);
  });

  it('at all kinds says if the CRDs of other operators cannot be listed', async () => {
    const memory = await given();
    const refusing = {
      list: async (...[kind, query]: Parameters<Cluster['list']>) => {
        if (kind.kind === 'CustomResourceDefinition')
          throw new ApiError('crds is forbidden', { code: 403, reason: 'Forbidden' });
        return memory.list(kind, query);
      },
    } as Cluster;
    const look = await lookAt({ namespace: 'team' }, { loaded, cluster: refusing, get });
    expect((await look(now)).lines).toContain(
      'kinds of other operators are not shown, except those of --module: crds is forbidden',
    );
  });
});

describe('the arguments', () => {
  it.each([
    [undefined, undefined, {}],
    ['db', undefined, { kind: 'db' }],
    ['db', 'orders', { kind: 'db', name: 'orders' }],
    ['db/orders', undefined, { kind: 'db', name: 'orders' }],
  ])('%s %s name a kind and a resource', (kind, name, found) => {
    expect(named(kind, name, {})).toEqual(found);
  });

  it.each([
    ['db/orders', 'orders'],
    ['db/', undefined],
    ['/orders', undefined],
    ['db/orders/1', undefined],
  ])('%s %s are refused', (kind, name) => {
    expect(() => named(kind, name, {})).toThrow('must be KIND or KIND/NAME, and a name must be given once');
  });

  it('have no name with all namespaces', () => {
    expect(() => named('db', 'orders', { allNamespaces: true })).toThrow(
      '--all-namespaces: must not be set together with a name',
    );
  });
});
