import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { KubernetesCluster } from '../../../operator/cluster/kubernetes-cluster.js';
import { Store } from '../../../operator/runtime/cache/store.js';
import { Watch } from '../../../operator/runtime/cache/watch.js';
import { ConfigMap } from '../../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject } from '../../../operator/runtime/kubernetes/object.js';
import { type Clock, systemClock } from '../../../operator/runtime/ports/clock.js';
import { silent } from '../../../operator/runtime/ports/telemetry.js';
import type { Fault } from '../../../operator/testing/index.js';
import { givenControlPlane } from '../../given/control-plane.js';
import { GivenProxy } from '../../given/proxy.js';
import { configMap } from '../../given.js';
import { FakeClock } from '../fake-clock.js';

const given = GivenProxy.forEach();
const manager = 'robot';

const manifest = (name: string) => configMap(name, { namespace: given().namespace });
const at = (name: string) => ({ name, namespace: given().namespace });

/** What a client does with the ConfigMap `a`, which is there, and `b`, which is not. */
const calls = {
  read: (cluster: KubernetesCluster) => cluster.read(ConfigMap, at('a')),
  create: (cluster: KubernetesCluster) => cluster.create(ConfigMap, manifest('b'), { manager }),
  apply: (cluster: KubernetesCluster) => cluster.apply(ConfigMap, manifest('a'), { manager }),
  patch: (cluster: KubernetesCluster) =>
    cluster.patch(ConfigMap, at('a'), [{ op: 'add', path: '/data', value: {} }], { manager }),
  remove: async (cluster: KubernetesCluster, { metadata }: LiveObject) =>
    cluster.remove(ConfigMap, at('a'), { uid: metadata.uid }),
} as const;
type Call = keyof typeof calls;

/** What comes of it, and what the server saw, by the first fault on the way. */
const rows: readonly (readonly [call: Call, fault: Fault, outcome: number | 'done', seen: readonly number[]])[] = [
  ['read', { kind: 'refuse', code: 429, retryAfter: 1 }, 'done', [200]],
  ['read', { kind: 'lose', what: 'answer' }, 'done', [200, 200]],
  ['apply', { kind: 'refuse', code: 500 }, 'done', [200]],
  ['apply', { kind: 'refuse', code: 503 }, 'done', [200]],
  ['apply', { kind: 'refuse', code: 504 }, 'done', [200]],
  ['apply', { kind: 'refuse', code: 409 }, 409, []],
  ['apply', { kind: 'lose', what: 'request' }, 'done', [200]],
  ['apply', { kind: 'lose', what: 'answer' }, 'done', [200, 200]],
  ['remove', { kind: 'lose', what: 'answer' }, 'done', [200, 404]],
  ['create', { kind: 'refuse', code: 429, retryAfter: 1 }, 'done', [201]],
  ['create', { kind: 'refuse', code: 503, retryAfter: 1 }, 'done', [201]],
  ['create', { kind: 'refuse', code: 503 }, 503, []],
  ['create', { kind: 'refuse', code: 500 }, 500, []],
  ['create', { kind: 'lose', what: 'request' }, 0, []],
  ['create', { kind: 'lose', what: 'answer' }, 0, [201]],
  ['patch', { kind: 'lose', what: 'answer' }, 0, [200]],
];

describe('R4 a request to a real API server', () => {
  test.each(rows)('%s, met by %o, ends with %s, the server having answered %o', async (call, fault, outcome, seen) => {
    const cluster = new KubernetesCluster(given().transport);
    const a = await cluster.create(ConfigMap, manifest('a'), { manager });
    const since = await givenControlPlane().auditPosition();
    given().proxy.inject({ times: 1, fault });
    const done = calls[call](cluster, a).then(
      () => 'done',
      ({ code }: { code: number }) => code,
    );
    expect(await done).toBe(outcome);
    expect((await given().seen(since)).map(({ code }) => code)).toEqual(seen);
  });

  test('R4 waits for as long as Retry-After says', async () => {
    const waits: number[] = [];
    const clock: Clock = {
      ...systemClock,
      after: (ms, callback) => {
        waits.push(ms);
        return systemClock.after(ms, callback);
      },
    };
    given().proxy.inject({ verb: 'create', times: 2, fault: { kind: 'refuse', code: 429, retryAfter: 1 } });
    await calls.create(new KubernetesCluster(given().transport, clock));
    expect(waits).toEqual([1000, 1000]);
  });
});

describe('a watch of a real API server', () => {
  let stop: AbortController;
  let heard: string[];
  beforeEach(() => {
    stop = new AbortController();
    heard = [];
  });
  afterEach(() => stop.abort());

  /** Follows the ConfigMaps, of which `a` is there already. */
  async function follow(clock: Clock): Promise<void> {
    const { namespace, transport } = given();
    const cluster = new KubernetesCluster(transport, clock);
    await cluster.create(ConfigMap, manifest('a'), { manager });
    const store = new Store(ConfigMap);
    const watch = new Watch(store, { cluster, clock, telemetry: silent, namespace });
    void watch.run(stop.signal);
    await watch.whenSynced;
    store.listen(({ before, after }) => {
      const { name } = (after ?? before)?.metadata ?? {};
      if (name === 'a' || name === 'b') heard.push(`${after ? 'is' : 'is no more'} ${name}`);
    });
    // A stream may still be opened for the news.
    await vi.waitFor(async () => expect((await given().seen()).map(({ verb }) => verb)).toContain('watch'), {
      timeout: 120_000,
    });
  }

  /** Changes by another client: `a` is recreated, `b` is new. */
  async function meddle(): Promise<void> {
    const kubectl = (...args: readonly string[]) =>
      givenControlPlane().kubectl([...args, '--namespace', given().namespace]);
    await kubectl('delete', 'configmap', 'a');
    await kubectl('create', 'configmap', 'a');
    await kubectl('create', 'configmap', 'b');
  }

  /** How it asked the server: for all there is, or for the news since a version. */
  async function asks(): Promise<readonly string[]> {
    const asked = (await given().seen()).filter(({ verb }) => verb === 'watch' || verb === 'list');
    const isNews = (uri: string) => uri.includes('watch=true') && !uri.includes('sendInitialEvents=true');
    return asked.map(({ uri }) => (isNews(uri) ? `news since ${/resourceVersion=\d+/.test(uri)}` : 'all'));
  }

  const news = ['all', 'news since true'];
  test.each<{ readonly what: string; readonly next?: Fault; readonly asked: readonly string[] }>([
    { what: 'is cut', asked: news },
    { what: 'is cut, and refused for the time being', next: { kind: 'refuse', code: 429, retryAfter: 1 }, asked: news },
    { what: 'is cut, and fails inside the server', next: { kind: 'refuse', code: 500 }, asked: news },
    { what: 'is cut, and cut again', next: { kind: 'lose', what: 'request' }, asked: news },
    {
      what: 'is told of an error inside the server',
      next: { kind: 'error-event', code: 500, afterEvents: 0 },
      asked: [...news, 'news since true'],
    },
    {
      what: 'is told that the news is forgotten',
      next: { kind: 'error-event', code: 410, afterEvents: 0 },
      asked: [...news, 'all'],
    },
    { what: 'is refused since the news is forgotten', next: { kind: 'refuse', code: 410 }, asked: ['all', 'all'] },
  ])('R6 that $what misses nothing, and asks for all again only then', async ({ next, asked }) => {
    await follow(systemClock);
    if (next) given().proxy.inject({ verb: 'watch', times: 1, fault: next });
    given().proxy.cutWatches();
    await meddle();
    await vi.waitFor(() => expect(heard).toContain('is b'), { timeout: 120_000 });
    expect(heard).toEqual(['is no more a', 'is a', 'is b']);
    expect(await asks()).toEqual(asked);
  });

  test('R7 that is open but dead is detected after 70 s, and the missed changes are sent', async () => {
    const clock = new FakeClock();
    await follow(clock);
    given().proxy.freezeWatches();
    await meddle();
    await clock.advance(69_999);
    expect([heard, await asks()]).toEqual([[], ['all']]);
    await clock.advance(1);
    await vi.waitFor(
      async () => {
        await clock.advance(100); // it waits a little before it asks again
        expect(heard).toEqual(['is no more a', 'is a', 'is b']);
      },
      { timeout: 120_000 },
    );
    expect(await asks()).toEqual(news);
  });
});
