import { afterEach, describe, expect, test } from 'vitest';
import { Deployment } from '../../../../operator/index.js';
import type { Assessment, Controller } from '../../../../operator/runtime/controller/controller.js';
import type { Facts, Outcome } from '../../../../operator/runtime/controller/facts.js';
import { ConfigMap, type ObjectKind } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { configMap } from '../../../given.js';
import { settled } from '../../fake-clock.js';
import { bound } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { widget, widgetController, widgetKind } from '../given/widgets.js';

let given: GivenOperator | undefined;
afterEach(async () => {
  await given?.stop();
  await given?.ended;
});

/** Assesses a Widget by the given objects. */
interface Looks {
  readonly desire?: (facts: Facts) => unknown;
  readonly assess?: (outcome: Outcome) => unknown;
  /** The size that it reports instead of the real one. */
  readonly says?: (outcome: Outcome) => number;
  readonly requeueAfter?: number;
}

/** A Widget with a Deployment and a ConfigMap at rest, and how often it is rendered and judged from then on. */
class AtRest {
  rendered = 0;
  judged = 0;
  #operator: GivenOperator | undefined;

  static async looking(looks: Looks): Promise<AtRest> {
    const calls = new AtRest();
    const { desire, assess } = widgetController();
    const controller = widgetController({
      desire: (scope, facts) => {
        calls.rendered++;
        looks.desire?.(facts);
        desire(scope, facts);
      },
      assess: (outcome): Assessment => {
        calls.judged++;
        looks.assess?.(outcome);
        const status = looks.says && { status: { size: looks.says(outcome) } };
        return { ...assess(outcome), ...status, ...(looks.requeueAfter && { requeueAfter: looks.requeueAfter }) };
      },
    } as Partial<Controller>);
    given = new GivenOperator({ controllers: [controller] });
    calls.#operator = given;
    await given.start();
    await given.given(widgetKind as ObjectKind, widget('web', { maps: { a: { size: '1' } }, workload: true }));
    calls.rendered = 0;
    calls.judged = 0;
    return calls;
  }

  get operator(): GivenOperator {
    if (this.#operator) return this.#operator;
    throw new Error('a Widget is at rest once it was looked at');
  }

  async passed(ms: number): Promise<string> {
    await this.operator.clock.advance(ms);
    return this.seen;
  }

  get seen(): string {
    return `${this.rendered} rendered, ${this.judged} judged`;
  }

  async deletes(): Promise<string> {
    const [name, { memory }] = [{ namespace: 'team', name: 'web-a' }, this.operator];
    const { uid } = (await memory.read(ConfigMap, name))?.metadata ?? {};
    await memory.remove(ConfigMap, name, { uid: String(uid) });
    await settled();
    expect(await memory.read(ConfigMap, name)).toMatchObject({ data: { size: '1' } });
    return this.seen;
  }

  async does(kind: ObjectKind, change: object, subresource?: 'status'): Promise<string> {
    const name = kind === ConfigMap ? 'web-a' : 'web';
    const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
    const metadata = { name, namespace: 'team', ...('metadata' in change && (change.metadata as object)) };
    const object = { apiVersion, kind: kind.kind, ...change, metadata } as Manifest;
    const manager = 'spec' in change ? 'somebody' : 'another';
    await this.operator.memory.apply(kind, object, { manager, ...(subresource && { subresource }) });
    await settled();
    return this.seen;
  }
}

const label = { metadata: { labels: { team: 'a' } } };
const edited = { data: { size: '9' } };
const ready = { status: { readyReplicas: 1 } };
const workload = (outcome: Facts) => outcome.owned.one(Deployment);

describe('R17 what a pass went by is looked at again only when it changed', () => {
  const widgets = widgetKind as ObjectKind;
  test.each<[what: string, found: string, looks: Looks, act: (one: AtRest) => Promise<string>]>([
    ['an hour passes', '0 rendered, 0 judged', {}, (one) => one.passed(3_600_000)],
    ['a status moves that nobody looks at', '0 rendered, 0 judged', {}, (one) => one.does(Deployment, ready, 'status')],
    [
      'a status moves that `assess` looks at',
      '0 rendered, 1 judged',
      { assess: workload },
      (one) => one.does(Deployment, ready, 'status'),
    ],
    [
      'a status moves of which there is something to say',
      '0 rendered, 2 judged',
      { says: (outcome) => 7 + (workload(outcome)?.status?.readyReplicas ?? 0) },
      (one) => one.does(Deployment, ready, 'status'),
    ],
    [
      'a status moves, and `assess` looks at everything',
      '0 rendered, 1 judged',
      { assess: ({ owned }) => owned.all() },
      (one) => one.does(Deployment, ready, 'status'),
    ],
    [
      'a status moves that `desire` looks at',
      '1 rendered, 1 judged',
      { desire: workload },
      (one) => one.does(Deployment, ready, 'status'),
    ],
    [
      'a status moves that `assess` looks at, and `desire` looks at what was told before',
      '1 rendered, 1 judged',
      { desire: ({ resource }) => resource.status, assess: workload },
      (one) => one.does(Deployment, ready, 'status'),
    ],
    ['somebody labels an object', '0 rendered, 1 judged', {}, (one) => one.does(Deployment, label)],
    ['somebody edits an object', '0 rendered, 1 judged', {}, (one) => one.does(ConfigMap, edited)],
    ['somebody deletes an object', '0 rendered, 1 judged', {}, (one) => one.deletes()],
    ...(['isServed', 'reads', 'polled', 'now'] as const).map(
      (what): [string, string, Looks, (one: AtRest) => Promise<string>] => [
        `somebody edits an object, and \`desire\` looks at \`${what}\``,
        '1 rendered, 1 judged',
        { desire: (facts) => (what === 'isServed' ? facts.isServed(ConfigMap) : facts[what]) },
        (one) => one.does(ConfigMap, edited),
      ],
    ),
    [
      'somebody edits an object that `desire` looks at',
      '1 rendered, 1 judged',
      { desire: ({ owned }) => owned.of(ConfigMap) },
      (one) => one.does(ConfigMap, edited),
    ],
    ['somebody labels the resource', '1 rendered, 1 judged', {}, (one) => one.does(widgets, label)],
    [
      'somebody edits the spec',
      '1 rendered, 1 judged',
      {},
      (one) => one.does(widgets, { spec: { maps: { a: { size: '2' } } } }),
    ],
    [
      'somebody writes into the status',
      '0 rendered, 1 judged',
      {},
      (one) => one.does(widgets, { status: { note: 'x' } }, 'status'),
    ],
    [
      'a minute passes, and `desire` looks at the time',
      '2 rendered, 2 judged',
      { desire: ({ now }) => now },
      (one) => one.passed(60_000),
    ],
    [
      'a minute passes, and `assess` looks at the time',
      '0 rendered, 2 judged',
      { assess: ({ now }) => now },
      (one) => one.passed(60_000),
    ],
    [
      'a minute passes, and it is to be looked at each 20 s',
      '0 rendered, 3 judged',
      { requeueAfter: 20_000 },
      (one) => one.passed(60_000),
    ],
  ])('%s: %s', async (_, found, looks, act) => {
    const one = await AtRest.looking(looks);
    expect(await act(one)).toBe(found);
  });

  test('nothing is kept of what was rendered for a resource that is gone', async () => {
    const { operator } = await AtRest.looking({});
    const kept = () => operator.operator.loops[0]?.context.renderCache?.size;
    expect(kept()).toBe(1);
    const { uid } = (await operator.memory.read(widgets, { namespace: 'team', name: 'web' }))?.metadata ?? {};
    await operator.memory.remove(widgets, { namespace: 'team', name: 'web' }, { uid: String(uid) });
    await settled();
    expect(kept()).toBe(0);
  });

  test('an edit during the pass, of what that pass had found as desired, is not taken for it', async () => {
    let go = () => {};
    const held = new Promise<void>((resolve) => (go = resolve));
    const slow = (cluster: Cluster): Cluster => ({
      ...bound(cluster),
      create: async (kind, object, options) => {
        if (kind === Deployment) await held;
        return cluster.create(kind, object, options);
      },
    });
    given = new GivenOperator({ faults: slow });
    await given.start();
    await given.given(widgetKind as ObjectKind, widget('web', { maps: { a: { size: '1' } }, workload: true }));
    await given.given(ConfigMap, configMap('web-a', { data: { size: '9' } }));
    go();
    await settled();
    expect(await given.memory.read(ConfigMap, { namespace: 'team', name: 'web-a' })).toMatchObject({
      data: { size: '1' },
    });
  });

  test('an object in the way is looked for again, and not taken for what is desired', async () => {
    given = new GivenOperator();
    await given.start();
    await given.given(ConfigMap, configMap('web-a'));
    await given.given(widgetKind as ObjectKind, widget('web'));
    const conditions = async () => (await given?.widget())?.['status'].conditions;
    const before = await conditions();
    expect(before).toContainEqual(expect.objectContaining({ type: 'Conflicted', status: 'True' }));
    await given.clock.advance(120_000);
    expect(await conditions()).toEqual(before);
  });
});
