import type { Construct } from 'constructs';
import { afterEach, describe, expect, it } from 'vitest';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import type { Facts } from '../../../../operator/runtime/controller/facts.js';
import { releaseAnnotation } from '../../../../operator/runtime/controller/finalization.js';
import { crossNamespace } from '../../../../operator/runtime/controller/owned-kinds.js';
import type { Refer } from '../../../../operator/runtime/controller/reads.js';
import { ConfigMap, type ObjectKind, optional, Secret } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { LiveMeta, LiveObject } from '../../../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import type { Loose } from '../../../given.js';
import { settled } from '../../fake-clock.js';
import { bound } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { failure } from '../given/scripted-cluster.js';
import { add, conditionOf, widget, widgetController, widgetKind } from '../given/widgets.js';

let given: GivenOperator;
afterEach(() => given.close());

/** Namespaces, and kinds in them, that the operator may not see. */
let refused: (namespace: string, kind: string) => boolean;
const refusing = (cluster: Cluster): Cluster => {
  const check = ({ kind }: ObjectKind, namespace = '') => {
    if (refused(namespace, kind)) throw failure(403, 'Forbidden');
  };
  return {
    ...bound(cluster),
    watch: (kind, query) => {
      check(kind, query.namespace);
      return cluster.watch(kind, query);
    },
    list: async (kind, query) => {
      check(kind, query.namespace);
      return cluster.list(kind, query);
    },
  };
};

const start = (options: ConstructorParameters<typeof GivenOperator>[0] = {}, memory?: GivenOperator['memory']) =>
  new GivenOperator({ namespaces: ['team', 'other'], faults: refusing, ...options }, memory).start();

const made = ['create ConfigMap team/web-a', 'create Event team/web', 'apply Widget/status team/web'];
const madeInOther = ['create ConfigMap other/web-a', 'create Event other/web', 'apply Widget/status other/web'];

describe('of several namespaces, one that the operator may not see', () => {
  it.each([
    { hides: 'everything', is: (namespace: string) => namespace === 'other' },
    { hides: 'its ConfigMaps', is: (namespace: string, kind: string) => namespace === 'other' && kind === 'ConfigMap' },
    { hides: 'its Widgets', is: (namespace: string, kind: string) => namespace === 'other' && kind === 'Widget' },
  ])('R8 stops no other while it hides $hides, and is taken up once it may be seen', async ({ is }) => {
    refused = is;
    given = await start();
    await given.given(widgetKind, widget('web'));
    await given.given(widgetKind, widget('web', undefined, { namespace: 'other' }));
    await given.clock.advance(3_600_000);
    expect(given.writes).toEqual(made);
    refused = () => false;
    await given.clock.advance(60_000);
    expect(given.writes).toEqual([...made, ...madeInOther]);
  });

  it('R8 is logged once for each kind', async () => {
    refused = (namespace, kind) => namespace === 'other' && kind === 'ConfigMap';
    given = await start();
    await given.clock.advance(60_000);
    expect(given.complaints).toEqual(['Watch failed, retrying']);
  });

  it('R32 does not prevent readiness while another namespace is accessible', async () => {
    refused = (namespace) => namespace === 'other';
    given = await start();
    await given.clock.advance(10_000);
    expect(given.operator.ready).toBe(true);
  });

  it('R32 is not ready without access to any of them', async () => {
    refused = () => true;
    given = await start();
    await given.clock.advance(10_000);
    expect(given.operator.ready).toBe(false);
  });
});

describe('a resource that refers to a namespace that the operator may not see', () => {
  /** Wants its map for as long as there is the Secret that it refers to. */
  const controller = widgetController({
    owns: [ConfigMap],
    finalizes: true,
    reads: ({ named }: Refer) => ({
      secret: named(crossNamespace(Secret, ['other']), () => ({ name: 'key', namespace: 'other' })),
    }),
    desire: (scope: Construct, { reads }: Facts) => {
      if (reads['secret']) add(scope, 'v1', 'ConfigMap', 'web-a', {});
    },
  } as object);
  const key = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'key', namespace: 'other' } };
  const read = (kind: ObjectKind, name: string) => given.memory.read(kind, { namespace: 'team', name });

  /** An operator that may not see the Secrets of `other`, after one that could. */
  const restarted = async () => {
    refused = () => false;
    const before = await start({ controllers: [controller] });
    await before.given(Secret, key);
    await before.given(widgetKind, widget('web'));
    await before.close();
    refused = (namespace, kind) => namespace === 'other' && kind === 'Secret';
    given = await start({ controllers: [controller] }, before.memory);
    await given.clock.advance(60_000);
  };
  const remove = async () => {
    const metadata = (await given.widget())?.metadata as LiveMeta;
    await given.memory.remove(widgetKind, metadata, { uid: metadata.uid });
    await settled();
    return metadata;
  };

  it('R31 is not judged as if there were nothing, until it may', async () => {
    await restarted();
    await given.given(widgetKind, widget('web', { maps: {} }));
    await given.clock.advance(3_600_000);
    expect([await read(ConfigMap, 'web-a'), given.passes]).toEqual([expect.anything(), []]);
    refused = () => false;
    await given.clock.advance(60_000);
    expect([await read(ConfigMap, 'web-a'), given.passes[0]]).toEqual([expect.anything(), 'success']);
  });

  it('R28 keeps what it has while it is being deleted, and goes when a person releases it', async () => {
    await restarted();
    const { name, namespace, uid } = await remove();
    await given.clock.advance(10_000);
    expect(await read(ConfigMap, 'web-a')).toBeDefined();
    expect(given.passes).toContain('error');
    const annotate = [{ op: 'add', path: '/metadata/annotations', value: { [releaseAnnotation]: uid } }] as const;
    await given.memory.patch(widgetKind, { namespace, name }, annotate, { manager: 'somebody' });
    await given.clock.advance(1_000_000);
    expect(await read(widgetKind, 'web')).toBeUndefined();
  });
});

describe('a resource that refers to a namespace that the operator does not watch', () => {
  const vault = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'ca', namespace: 'vault' } };
  const reading = (reads: (refer: Refer) => object, changes: object = {}) =>
    widgetController({
      owns: [ConfigMap],
      reads,
      desire: () => {},
      assess: ({ reads: { secret } }: Loose) => ({ conditions: { Sized: { reason: secret ? 'Fits' : 'TooSmall' } } }),
      ...changes,
    } as object);
  const far = (kind: typeof Secret) => (refer: Refer) => ({
    secret: refer.named(kind, () => ({ name: 'ca', namespace: 'vault' })),
  });
  const readyWith = async (controller: Controller, namespaces: readonly string[]) => {
    refused = () => false;
    given = await start({ controllers: [controller], namespaces });
    await given.given(Secret, vault);
    await given.given(widgetKind, widget('web'));
    await given.clock.advance(60_000);
    return conditionOf((await given.widget()) as LiveObject, 'Ready');
  };

  it('reports that it cannot be read there, and what to do, and not that it does not exist', async () => {
    const ready = await readyWith(reading(far(crossNamespace(Secret, 'watched'))), ['team', 'other']);
    expect(ready).toMatchObject({
      status: 'Unknown',
      reason: 'ReconcileFailed',
      message:
        'the operator watches only namespaces team, other (--namespaces); it cannot read Secret vault/ca: ' +
        'add the namespace vault to --namespaces',
    });
    expect(conditionOf((await given.widget()) as LiveObject, 'Sized')).toBeUndefined();
  });

  it('finds nothing there if its controller can do without', async () => {
    const ready = await readyWith(reading(far(optional(crossNamespace(Secret, 'watched')))), ['team', 'other']);
    expect(ready).toMatchObject({ status: 'False', reason: 'TooSmall' });
  });

  it('reports the same for objects with labels', async () => {
    const all = (refer: Refer) => ({
      secret: refer.matchingLabels(crossNamespace(Secret, 'watched'), () => ({ labels: {}, namespace: 'vault' })),
    });
    const ready = await readyWith(reading(all), ['team']);
    expect(ready?.['message']).toBe(
      'the operator watches only namespace team (--namespaces); it cannot read the secrets of vault: ' +
        'add the namespace vault to --namespaces',
    );
  });

  it.each([
    { when: 'the namespace is watched too', kind: crossNamespace(Secret, ['vault']), namespaces: ['team', 'vault'] },
    { when: 'whichever namespace is watched', kind: crossNamespace(Secret, 'watched'), namespaces: ['team', 'vault'] },
    { when: 'all namespaces are watched', kind: crossNamespace(Secret), namespaces: [] },
  ])('finds it if $when', async ({ kind, namespaces }) => {
    expect(await readyWith(reading(far(kind)), namespaces)).toMatchObject({ status: 'True' });
  });

  it.each([
    {
      when: 'does not declare it',
      kind: Secret,
      says: 'in namespace vault, but its controller reads them only in team: read crossNamespace(Secret) to allow it',
    },
    {
      when: 'declares other namespaces',
      kind: crossNamespace(Secret, ['other']),
      says: 'in namespace vault, but its controller reads them only in team, other: add vault to crossNamespace(Secret, […]) in reads',
    },
  ])('is wrong in any installation if its controller $when', async ({ kind, says }) => {
    const ready = await readyWith(reading(far(kind)), []);
    expect(ready).toMatchObject({
      reason: 'ReconcileFailed',
      message: expect.stringContaining(`refers to a Secret ${says}`),
    });
  });

  it('is told of a cluster-scoped resource too, whose references declare nothing', async () => {
    const kind = { ...widgetKind, namespaced: false } as ObjectKind;
    refused = () => false;
    const controller = reading(far(Secret), { kind, keepsRevisions: 'never' });
    given = await start({ controllers: [controller], namespaces: ['team'] });
    const { namespace: _, ...metadata } = widget('web').metadata;
    await given.given(kind, { ...widget('web'), metadata });
    await given.clock.advance(60_000);
    const live = (await given.memory.read(kind, { name: 'web' })) as LiveObject;
    expect(conditionOf(live, 'Ready')?.['message']).toContain('it cannot read Secret vault/ca');
  });
});
