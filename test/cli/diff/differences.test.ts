import { stripVTControlCharacters } from 'node:util';
import { Deployment as Servers } from 'cdk8s-plus-27';
import { describe, expect, test } from 'vitest';
import { type Difference, type Differences, differencesOf } from '../../../cli/diff/differences.js';
import { textOf } from '../../../cli/diff/print.js';
import { existing, proposed } from '../../../cli/diff/proposal.js';
import { childrenOf } from '../../../cli/plan/children.js';
import { storedResource } from '../../../cli/plan/stored-resource.js';
import type { Controller } from '../../../operator/runtime/controller/controller.js';
import type { refer } from '../../../operator/runtime/controller/reads.js';
import { ApiError } from '../../../operator/runtime/kubernetes/errors.js';
import {
  ConfigMap,
  Deployment,
  type ObjectKind,
  optional,
  Secret,
} from '../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../../operator/runtime/ports/cluster.js';
import { Trial } from '../../../operator/testing/contract/trial/trial.js';
import { MemoryCluster } from '../../../operator/testing/index.js';
import { configMap, type Loose } from '../../given.js';
import { bound } from '../../operator/runtime/given/house.js';
import { reader, readerController, readerKind, secret } from '../../operator/runtime/given/readers.js';
import { add, type WidgetSpec, widget, widgetController, widgetKind } from '../../operator/runtime/given/widgets.js';

const controller = widgetController();
const somebody = { manager: 'somebody' };
const one: WidgetSpec = { maps: { a: { size: '1' } } };

/** A cluster in which the operator has made a Widget `web` so. */
async function givenWidget(spec: WidgetSpec | undefined, ...others: readonly (readonly [ObjectKind, Manifest])[]) {
  const memory = new MemoryCluster();
  for (const [kind, object] of others) await memory.apply(kind, object, somebody);
  if (spec) {
    await memory.apply(widgetKind, widget('web', spec), somebody);
    await new Trial(controller, memory).rest(widget('web', spec));
  }
  memory.forgetWrites();
  return memory;
}

const of = async (memory: MemoryCluster, spec?: WidgetSpec) => {
  const planned = spec
    ? await proposed(controller, widget('web', spec), memory)
    : await existing(controller, { namespace: 'team', name: 'web' }, memory);
  return differencesOf([controller], planned, memory);
};
const saying = ({ changes, notes }: Differences) => [
  ...changes.map(({ action, object }) => `${action} ${object.kind} ${object.metadata.name}`),
  ...notes,
];

describe('what the operator would do', () => {
  test.each<{ does: readonly string[]; when: string; is: WidgetSpec | undefined; becomes?: WidgetSpec }>([
    { does: [], when: 'everything is as it should be', is: one },
    { does: ['create ConfigMap web-a'], when: 'the resource does not exist yet', is: undefined, becomes: one },
    { does: [], when: 'the file says what is there', is: one, becomes: one },
    { does: ['update ConfigMap web-a'], when: 'a value changes', is: one, becomes: { maps: { a: { size: '2' } } } },
    {
      does: ['update ConfigMap web-a'],
      when: 'a field goes',
      is: { maps: { a: { x: '1', y: '2' } } },
      becomes: { maps: { a: { x: '1' } } },
    },
    { does: ['delete ConfigMap web-a'], when: 'an object is wanted no longer', is: one, becomes: { maps: {} } },
    {
      does: ['create ConfigMap web-b', 'delete ConfigMap web-a'],
      when: 'one goes and another comes',
      is: one,
      becomes: { maps: { b: {} } },
    },
    {
      does: ['delete HorizontalPodAutoscaler web', 'delete Service web', 'delete Deployment web'].toSorted(),
      when: 'the file does not state a field that is there',
      is: { ...one, workload: true },
      becomes: one,
    },
    {
      does: ['NotPossible: no', expect.stringMatching(/^create ControllerRevision web-/)],
      when: 'the spec is rejected',
      is: one,
      becomes: { rejected: 'no' },
    },
  ])('is $does when $when, and nothing is written', async ({ does, is, becomes }) => {
    const memory = await givenWidget(is);
    expect(saying(await of(memory, becomes)).toSorted()).toEqual(does);
    expect(memory.writes).toEqual([]);
  });

  test('keeps the objects if the spec is rejected and no accepted spec is known', async () => {
    const memory = await givenWidget(one);
    await memory.apply(widgetKind, widget('web', { maps: { b: {} } }), somebody);
    memory.forgetWrites();
    const alone = 'NotPossible: no; no accepted spec is known, so its objects stay unchanged';
    expect(saying(await of(memory, { rejected: 'no' }))).toEqual([alone]);
  });

  test('is told of an object of somebody else too', async () => {
    const memory = await givenWidget(undefined, [ConfigMap, configMap('web-a')]);
    expect(saying(await of(memory, one))).toEqual([
      expect.stringMatching(/^NotOwned: ConfigMap web-a was not created by/),
    ]);
  });

  test('is undone where somebody edited or deleted by hand', async () => {
    const memory = await givenWidget({ maps: { a: { size: '1' }, b: {} } });
    await memory.apply(ConfigMap, configMap('web-a', { data: { size: 'theirs' } }), somebody);
    const { metadata } = (await memory.read(ConfigMap, { namespace: 'team', name: 'web-b' })) ?? configMap('web-b');
    await memory.remove(ConfigMap, metadata, { uid: metadata.uid ?? '' });
    expect(saying(await of(memory)).toSorted()).toEqual(['create ConfigMap web-b', 'update ConfigMap web-a']);
  });

  test('is nothing where no more than a mark of the runtime would be written again', async () => {
    const memory = await givenWidget(one);
    const remove = [{ op: 'remove', path: '/metadata/annotations/reconstruct.dev~1applied' }] as const;
    await memory.patch(ConfigMap, { namespace: 'team', name: 'web-a' }, remove, somebody);
    expect(saying(await of(memory))).toEqual([]);
  });

  test('takes into account what the resource refers to', async () => {
    const memory = new MemoryCluster();
    await memory.apply(Secret, secret('k', 'red'), somebody);
    const resource = reader('web', { key: 'k' });
    await memory.apply(readerKind, resource, somebody);
    const planned = await existing(readerController, resource.metadata, memory);
    const { changes } = await differencesOf([readerController], planned, memory);
    expect(changes.map(({ after }) => after?.['data'])).toEqual([{ key: 'red', more: '', themes: '' }]);
  });

  describe('where what the resource refers to is of a kind that the API server does not serve', () => {
    const notFound = new ApiError('404 page not found', { code: 404, reason: 'NotFound' });
    const planning = async (kind: ObjectKind) => {
      const controller = widgetController({
        reads: ({ named }: typeof refer) => ({ key: named(kind, () => ({ name: 'k' })) }),
      } as object);
      const memory = await givenWidget(one);
      const lacking: Cluster = {
        ...bound(memory),
        read: (asked, ...rest) => (asked.kind === kind.kind ? Promise.reject(notFound) : memory.read(asked, ...rest)),
      };
      const planned = await existing(controller, { namespace: 'team', name: 'web' }, lacking);
      return differencesOf([controller], planned, lacking);
    };

    test('goes on without it if the kind is optional', async () => {
      expect((await planning(optional(Secret))).changes).toEqual([]);
    });

    test('fails if the kind must be there', async () => {
      await expect(planning(Secret)).rejects.toThrow('404 page not found');
    });
  });

  test('says which resource is missing', async () => {
    const memory = await givenWidget(undefined);
    await expect(of(memory)).rejects.toThrow('Widget team/web not found');
  });
});

test('a proposal has the labels of the file, and keeps those that the file omits', async () => {
  const memory = new MemoryCluster();
  await memory.apply(widgetKind, widget('web', one, { labels: { tier: 'old', team: 'shop' } }), somebody);
  const { resource } = await proposed(controller, widget('web', one, { labels: { tier: 'new' } }), memory);
  expect(resource.metadata.labels).toEqual({ tier: 'new', team: 'shop' });
});

describe('a change', () => {
  test('is shown without what the server and the runtime keep for themselves', async () => {
    const memory = await givenWidget(one);
    const [change] = (await of(memory, { maps: { a: { size: '2' } } })).changes;
    const metadata = {
      name: 'web-a',
      namespace: 'team',
      labels: { 'reconstruct.dev/controller': 'widget' },
      ownerReferences: [
        { apiVersion: 'example.org/v1', kind: 'Widget', name: 'web', controller: true, blockOwnerDeletion: true },
      ],
    };
    const shown = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
    expect(change?.before).toEqual({ ...shown, data: { size: '1' } });
    expect(change?.after).toEqual({ ...shown, data: { size: '2' } });
  });

  test('loses the fields that the runtime would take away', async () => {
    const memory = await givenWidget({ maps: { a: { x: '1', y: '2' } } });
    const [change] = (await of(memory, { maps: { a: { x: '1' } } })).changes;
    expect(change?.after?.['data']).toEqual({ x: '1' });
  });

  test('of a Secret shows that values change, and no value', async () => {
    const secretive = widgetController({
      owns: [Secret, Deployment],
      desire: (scope, { resource }) => {
        const { maps = {} } = resource.spec as WidgetSpec;
        for (const [name, data] of Object.entries(maps)) add(scope, 'v1', 'Secret', name, { data });
      },
      assess: () => ({ conditions: { Sized: { reason: 'Fits' } } }),
    });
    const memory = new MemoryCluster();
    const resource = widget('web', { maps: { s: { kept: 'a1', moved: 'b2', gone: 'c3' } } });
    await memory.apply(widgetKind, resource, somebody);
    await new Trial(secretive, memory).rest(resource);
    const edited = widget('web', { maps: { s: { kept: 'a1', moved: 'd4', come: 'e5' }, t: { fresh: 'f6' } } });
    const found = await differencesOf([secretive], await proposed(secretive, edited, memory), memory);
    expect(found.changes.map(({ after, before }) => [before?.['data'], after?.['data']])).toEqual([
      [
        { kept: '***', moved: '*** (before)', gone: '*** (before)' },
        { kept: '***', moved: '*** (after)', come: '*** (after)' },
      ],
      [undefined, { fresh: '***' }],
    ]);
    expect(JSON.stringify(found) + textOf(found, false)).not.toMatch(/a1|b2|c3|d4|e5|f6/);
  });
});

test('the label of an L2 construct is the same in plan, in diff and in the operator', async () => {
  const desire: Controller['desire'] = (scope, { resource: { metadata } }) => {
    const containers = [{ name: 'main', image: 'main:1', portNumber: 80 }];
    new Servers(scope, 'servers', { metadata: { name: metadata.name }, containers });
  };
  const [l2, resource, memory] = [widgetController({ desire }), widget('web', {}), new MemoryCluster()];
  await memory.apply(widgetKind, resource, somebody);
  await new Trial(l2, memory).rest(resource);
  const [live] = (await memory.list(Deployment, {})).items;
  const unplaced = { ...resource, metadata: { name: 'web' } };
  const { resource: stored } = storedResource(l2, unplaced, { namespace: 'team', definitions: [] });
  const planned = await childrenOf(l2, stored, { objects: [], unknown: () => {} });
  expect(planned.map((object) => (object as Loose)['spec'].selector)).toEqual([(live as Loose)['spec'].selector]);
  const { changes } = await differencesOf([l2], await proposed(l2, resource, memory), memory);
  expect(changes).toEqual([]);
});

describe('the text', () => {
  const named = (kind: string, name: string) => ({ apiVersion: 'v1', kind, metadata: { name, namespace: 'team' } });
  const changes: Difference[] = [
    {
      action: 'update',
      object: named('ConfigMap', 'a'),
      before: { data: { b: '1', a: '1' } },
      after: { data: { a: '1', b: '2' } },
    },
    { action: 'delete', object: named('Service', 's'), before: { kind: 'Service' } },
  ];
  const found = {
    resource: named('Widget', 'web'),
    changes,
    notes: ['NotOwned: it is theirs'],
    rejected: false,
    blocked: false,
    known: true,
  };

  test('is a unified diff for each object, and then what is in the way', () => {
    expect(textOf(found, false)).toBe(
      `update ConfigMap team/a
@@ -1,3 +1,3 @@
 data:
   a: "1"
-  b: "1"
+  b: "2"
delete Service team/s
@@ -1,1 +0,0 @@
-kind: Service
Widget team/web: NotOwned: it is theirs
`,
    );
  });

  test('has colours for a terminal', () => {
    const text = textOf(found, true);
    expect(text).toContain('\x1b[31m-  b: "1"\x1b[0m\n\x1b[32m+  b: "2"\x1b[0m');
    expect(stripVTControlCharacters(text)).toBe(textOf(found, false));
  });
});
