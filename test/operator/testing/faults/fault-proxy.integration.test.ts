import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Transport } from '../../../../operator/cluster/http/transport.js';
import { KubernetesCluster } from '../../../../operator/cluster/kubernetes-cluster.js';
import { ConfigMap } from '../../../../operator/index.js';
import type { WatchEvent } from '../../../../operator/runtime/ports/cluster.js';
import type { Fault, FaultProxy } from '../../../../operator/testing/index.js';
import { givenControlPlane } from '../../../given/control-plane.js';
import { GivenProxy } from '../../../given/proxy.js';
import { configMap } from '../../../given.js';

const controlPlane = givenControlPlane();

const given = GivenProxy.forEach();
let proxy: FaultProxy;
let transport: Transport;
let namespace: string;
beforeEach(() => {
  ({ proxy, transport, namespace } = given());
});

const path = () => `/api/v1/namespaces/${namespace}/configmaps`;
/** One request as it is, never repeated. */
const create = (name: string) => transport.json({ method: 'POST', path: path(), body: configMap(name, { namespace }) });
const read = (name: string) => transport.json({ method: 'GET', path: `${path()}/${name}`, patience: 2000 });

/** What the API server saw of our creations, as codes. */
async function created(): Promise<readonly number[]> {
  return (await given().seen()).filter(({ verb }) => verb === 'create').map(({ code }) => code);
}

async function watch(): Promise<{ events: WatchEvent['type'][]; ended: Promise<string>; stop: () => void }> {
  const cluster = new KubernetesCluster(transport);
  const { resourceVersion } = await cluster.list(ConfigMap, { namespace });
  const stop = new AbortController();
  const events: WatchEvent['type'][] = [];
  const follow = async () => {
    const query = { namespace, resourceVersion, timeoutSeconds: 60, signal: stop.signal };
    for await (const { type } of cluster.watch(ConfigMap, query)) events.push(type);
    return 'the end';
  };
  const ended = follow().catch((error: { code?: number }) => (stop.signal.aborted ? 'aborted' : `code ${error.code}`));
  return { events, ended, stop: () => stop.abort() };
}

describe('a proxy without a rule', () => {
  test('lets requests, refusals and news through as they are', async () => {
    const { events, stop } = await watch();
    await create('a');
    await vi.waitFor(() => expect(events).toEqual(['ADDED']), { timeout: 120_000 });
    expect(await read('a')).toMatchObject({ metadata: { name: 'a' } });
    await expect(create('a')).rejects.toMatchObject({ code: 409, reason: 'AlreadyExists' });
    expect(proxy.diary).toEqual([]);
    stop();
  });

  test('forwards the requests of kubectl', async () => {
    const options = { kubeconfig: await proxy.kubeconfig(given().direct) };
    expect(await controlPlane.kubectl(['get', 'configmaps', '--namespace', namespace], options)).toMatchObject({
      code: 0,
    });
  });

  test('says that a client certificate cannot pass', async () => {
    await expect(proxy.kubeconfig(controlPlane.kubeconfig)).rejects.toThrow('use a kubeconfig with a token');
  });

  test('signs requests if configured', async () => {
    proxy.sign('replica-1');
    await create('a');
    const signed = (await controlPlane.requests()).filter(({ userAgent }) => userAgent === 'replica-1');
    expect(signed).toMatchObject([{ verb: 'create', namespace }]);
  });
});

describe('a request', () => {
  /** What the client sees, and what the server saw. */
  const rows: readonly (readonly [what: string, fault: Fault, seen: object, carriedOut: readonly number[]])[] = [
    ['a 429', { kind: 'refuse', code: 429, retryAfter: 3 }, { code: 429, retryAfter: 3000 }, []],
    ['a 409', { kind: 'refuse', code: 409 }, { code: 409, reason: 'Conflict' }, []],
    ['a 503', { kind: 'refuse', code: 503 }, { code: 503, reason: 'ServiceUnavailable' }, []],
    ['a connection that breaks on the way there', { kind: 'lose', what: 'request' }, { code: 0 }, []],
    ['a connection that breaks on the way back', { kind: 'lose', what: 'answer' }, { code: 0 }, [201]],
  ];
  test.each(rows)('meets %s', async (_, fault, seen, carriedOut) => {
    proxy.inject({ verb: 'create', times: 1, fault });
    await expect(create('a')).rejects.toMatchObject(seen);
    expect(await created()).toEqual(carriedOut);
    expect(proxy.diary).toMatchObject([{ verb: 'create', resource: 'configmaps', namespace, fault }]);
  });

  test.each([
    { way: 'there', fault: { kind: 'delay', before: 200 } },
    { way: 'back', fault: { kind: 'delay', after: 200 } },
    { way: 'back, in pieces', fault: { kind: 'trickle', bytesPerSecond: 1000 } },
  ] as const)('takes longer on the way $way', async ({ fault }) => {
    proxy.inject({ fault });
    const began = performance.now();
    await create('a');
    expect(performance.now() - began).toBeGreaterThan(150);
  });

  test('that its client gives up while it is delayed is not sent on', async () => {
    proxy.inject({ verb: 'create', fault: { kind: 'delay', before: 1_000 } });
    const gaveUp = AbortSignal.timeout(50);
    const asked = { method: 'POST', path: path(), body: configMap('a', { namespace }), signal: gaveUp } as const;
    await expect(transport.json(asked)).rejects.toThrow('timeout');
    await create('b'); // as long delayed, and later
    expect(await created()).toEqual([201]);
  });
});

describe('a watch', () => {
  test.each([
    { fault: { kind: 'cut', afterEvents: 1 }, end: 'code 0' },
    { fault: { kind: 'error-event', code: 410, afterEvents: 1 }, end: 'code 410' },
  ] as const)('meets $fault.kind after the events that it may tell', async ({ fault, end }) => {
    proxy.inject({ verb: 'watch', fault });
    const { events, ended } = await watch();
    await create('a');
    expect(await ended).toBe(end);
    expect(events).toEqual(['ADDED']);
  });

  test.each(['by a rule', 'by hand'])('that is frozen %s is open and says nothing', async (how) => {
    if (how === 'by a rule') proxy.inject({ verb: 'watch', fault: { kind: 'freeze', afterEvents: 1 } });
    const { events, ended, stop } = await watch();
    await create('a');
    await vi.waitFor(() => expect(events).toEqual(['ADDED']), { timeout: 120_000 });
    if (how === 'by hand') proxy.freezeWatches();
    const other = await watch();
    proxy.heal();
    await create('b');
    if (how === 'by hand') await vi.waitFor(() => expect(other.events).toEqual(['ADDED']), { timeout: 120_000 });
    expect(events).toEqual(['ADDED']);
    stop();
    other.stop();
    expect(await ended).toBe('aborted');
  });

  test('is cut by hand', async () => {
    const { ended } = await watch();
    await vi.waitFor(
      async () => {
        proxy.cutWatches();
        expect(proxy.diary).toHaveLength(1);
      },
      { timeout: 120_000 },
    );
    expect(await ended).toBe('code 0');
  });
});

test('a server that is away refuses, and is back at the same address', async () => {
  const { ended } = await watch();
  await proxy.goAway();
  expect(await ended).toBe('code 0');
  await expect(read('a')).rejects.toMatchObject({ code: 0 });
  await proxy.comeBack();
  await expect(read('a')).rejects.toMatchObject({ code: 404 });
});
