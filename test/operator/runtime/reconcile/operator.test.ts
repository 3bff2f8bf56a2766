import type { Construct } from 'constructs';
import { afterEach, describe, expect, it } from 'vitest';
import type { Facts } from '../../../../operator/runtime/controller/facts.js';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { CallOptions, Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { MemoryCluster } from '../../../../operator/testing/index.js';
import { configMap, type Loose } from '../../../given.js';
import { settled } from '../../fake-clock.js';
import { bound } from '../given/house.js';
import { GivenOperator } from '../given/operator.js';
import { failure, unstreamed } from '../given/scripted-cluster.js';
import { widget, widgetController, widgetKind } from '../given/widgets.js';

let given: GivenOperator;
const open = async (...props: ConstructorParameters<typeof GivenOperator>) => {
  given = new GivenOperator(...props);
  return given.start();
};
afterEach(async () => {
  await given.close();
  expect(given.clock.waiting).toBe(0);
});

const lease = { name: 'reconstruct', namespace: 'system' };

/** An answer that does not come before the caller gives up. */
function endless({ signal }: CallOptions): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
}

describe('an operator', () => {
  it('R31 reconciles existing and later resources', async () => {
    const memory = new MemoryCluster();
    await memory.apply(widgetKind, widget('early'), { manager: 'somebody' });
    const given = await open({}, memory);
    await given.given(widgetKind, widget('late'));
    expect(given.writes).toEqual([
      'create ConfigMap team/early-a',
      'create Event team/early',
      'apply Widget/status team/early',
      'create ConfigMap team/late-a',
      'create Event team/late',
      'apply Widget/status team/late',
    ]);
  });

  it('R16 R17 makes one pass for a creation: its own echoes cause none', async () => {
    const given = await open();
    await given.given(widgetKind, widget('web', { maps: { a: {}, b: {}, c: {} }, workload: true }));
    expect(given.passes).toEqual(['success']);
    await given.clock.advance(20_000);
    expect(given.passes).toEqual(['success']);
  });

  it('R13 looks again every 30 s at each resource whose controller looks at the time, from the caches, without a request', async () => {
    let requests = 0;
    const counted = (cluster: Cluster): Cluster => {
      const methods = Object.entries(bound(cluster)).map(([name, method]) => [
        name,
        (...args: never[]) => {
          if (name !== 'watch') requests++;
          return (method as (...all: never[]) => unknown)(...args);
        },
      ]);
      return Object.fromEntries(methods) as Cluster;
    };
    const { desire } = widgetController();
    const timed = widgetController({
      desire: (scope: Construct, facts: Facts) => {
        if (facts.now > new Date(0)) desire(scope, facts);
      },
    });
    const given = await open({ faults: counted, controllers: [timed] });
    await given.given(widgetKind, widget('web'));
    const before = requests;
    await given.clock.advance(60_000);
    expect(given.passes).toEqual(['success', 'success', 'success']);
    expect(requests).toBe(before);
  });

  it('R10 forgets a resource that is gone', async () => {
    const given = await open();
    const { metadata } = await given.given(widgetKind, widget('web'));
    await given.memory.remove(widgetKind, metadata, { uid: metadata.uid });
    await settled();
    const passes = given.passes.length;
    await given.clock.advance(100_000);
    expect(given.passes).toHaveLength(passes);
  });

  it('reverts changes to an owned object at once', async () => {
    const given = await open();
    await given.given(widgetKind, widget('web'));
    await given.given(ConfigMap, configMap('web-a', { data: { size: '9' } }));
    const mended = await given.memory.read(ConfigMap, { namespace: 'team', name: 'web-a' });
    expect(mended).toMatchObject({ data: { size: '1' } });
  });

  it('R31 judges nothing before all of its caches are filled', async () => {
    let fill = () => {};
    const opened = new Promise<void>((resolve) => {
      fill = resolve;
    });
    const late = (cluster: Cluster): Cluster => ({
      ...unstreamed(cluster),
      list: async (kind, query) => {
        if (kind.kind === 'Service') await opened;
        return cluster.list(kind, query);
      },
    });
    const given = await open({ faults: late });
    await given.given(widgetKind, widget('web'));
    await given.clock.advance(10_000);
    expect([given.writes, given.operator.ready]).toEqual([[], false]);
    fill();
    await settled();
    expect(given.writes).toContain('create Event team/web');
    expect([given.writes.length, given.operator.ready]).toEqual([3, true]);
  });

  it('R8 runs the other controllers while the kind of one is not served', async () => {
    const missing = (cluster: Cluster): Cluster => ({
      ...unstreamed(cluster),
      list: async (kind, query) => {
        if (kind.kind === 'Gadget') throw failure(404, 'NotFound');
        return cluster.list(kind, query);
      },
    });
    const gadgets = widgetController({ kind: { ...widgetKind, kind: 'Gadget', plural: 'gadgets' }, name: 'gadget' });
    const given = await open({ controllers: [gadgets, widgetController()], faults: missing });
    await given.given(widgetKind, widget('web'));
    expect(given.writes).toContain('create Event team/web');
    expect(given.writes).toHaveLength(3);
    expect(given.operator.ready).toBe(true);
  });

  it.each([
    { stuck: ['Service'], when: 'its list never ends', answer: endless },
    { stuck: ['Service'], when: 'no answer comes', answer: () => Promise.reject<never>(failure(0, 'NoAnswer')) },
    { stuck: [], when: 'a right is missing', answer: () => Promise.reject<never>(failure(403, 'Forbidden')) },
    { stuck: [], when: 'the server fails', answer: () => Promise.reject<never>(failure(500, 'InternalError')) },
    { stuck: [], when: 'the server asks to wait', answer: () => Promise.reject<never>(failure(429, 'Busy', 300_000)) },
    { stuck: [], when: 'the kind is not served', answer: () => Promise.reject<never>(failure(404, 'NotFound')) },
  ])('R6 says that $stuck are stuck when $when', async ({ stuck, answer }) => {
    const silence = (cluster: Cluster): Cluster => ({
      ...unstreamed(cluster),
      list: async (kind, query) => (kind.kind === 'Service' ? answer(query) : cluster.list(kind, query)),
    });
    const given = await open({ faults: silence });
    for (let minute = 0; minute < 11; minute++) {
      await given.clock.advance(60_000);
      given.memory.bookmark();
      await settled();
    }
    expect(given.operator.stuck).toEqual(stuck);
  });

  it('watches only the configured namespaces', async () => {
    const given = await open({ namespaces: ['team', 'other'] });
    await given.given(widgetKind, widget('web'));
    await given.given(widgetKind, widget('web', { maps: { a: {} } }, { namespace: 'strange' }));
    const event = 'create Event team/web';
    expect(given.writes).toEqual(['create ConfigMap team/web-a', event, 'apply Widget/status team/web']);
  });

  it('refuses two controllers of one name', () => {
    const twins = () => new GivenOperator({ controllers: [widgetController(), widgetController()] });
    expect(twins).toThrow('two controllers are named widget: rename one of them');
  });
});

describe('an operator that stands by', () => {
  it('R29 has its caches filled and writes nothing, and takes over within 3 s', async () => {
    const memory = new MemoryCluster();
    const first = new GivenOperator({ lease, identity: 'first' }, memory);
    await first.start();
    const second = await open({ lease, identity: 'second' }, memory);
    await second.given(widgetKind, widget('web'));
    expect(second.operator.ready).toBe(true);
    expect([first.passes, second.passes]).toEqual([['success'], []]);
    await first.stop();
    await first.ended;
    await second.clock.advance(3_000);
    expect(second.passes).toEqual(['success']);
    await second.given(widgetKind, widget('late'));
    expect(second.passes).toEqual(['success', 'success']);
    expect((await memory.list({ ...widgetKind }, {})).items.map((one) => (one as Loose)['status'].size)).toEqual([
      1, 1,
    ]);
  });
});

describe('an operator that is asked to stop', () => {
  /** Creates wait for the test. */
  const slow = () => {
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const faults = (cluster: Cluster): Cluster => ({
      ...bound(cluster),
      create: async (kind, object, options) => {
        if (kind.kind !== 'ConfigMap') return cluster.create(kind, object, options);
        await Promise.race([answered, abortOf(options.signal)]);
        return cluster.create(kind, object, options);
      },
    });
    return { faults, answer };
  };

  it('R30 finishes the passes that run, takes up no other, gives the lease back and ends', async () => {
    const { faults, answer } = slow();
    const given = await open({ faults, lease, maxConcurrentReconciles: 1 });
    await given.given(widgetKind, widget('web'));
    await given.given(widgetKind, widget('waiting'));
    await given.stop();
    await given.clock.advance(5_000);
    expect(given.hasEnded).toBe(false);
    answer();
    await settled();
    expect(given.hasEnded).toBe(true);
    expect((await given.widget())?.['status']).toMatchObject({ size: 1 });
    expect((await given.widget('waiting'))?.['status']).toBeUndefined();
    const [left] = (await given.memory.list({ ...widgetKind, group: 'coordination.k8s.io', kind: 'Lease' }, {})).items;
    expect(left).toMatchObject({ spec: { holderIdentity: '' } });
  });

  it('R30 gives passes up that take longer than the grace', async () => {
    const { faults } = slow();
    const given = await open({ faults, lease, gracefulShutdownTimeout: 10_000 });
    await given.given(widgetKind, widget('web'));
    await given.stop();
    await given.clock.advance(9_999);
    expect(given.hasEnded).toBe(false);
    await given.clock.advance(1);
    expect(given.hasEnded).toBe(true);
  });
});

function abortOf(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
}
