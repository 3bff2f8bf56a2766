import type { RequestListener, Server } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { Transport } from '../../../../operator/cluster/http/transport.js';
import { KubernetesCluster } from '../../../../operator/cluster/kubernetes-cluster.js';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { allPages } from '../../../../operator/runtime/ports/all-pages.js';
import { systemClock } from '../../../../operator/runtime/ports/clock.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { configMap, live } from '../../../given.js';
import { closed, listening } from './given-server.js';

const mebibyte = 1024 ** 2;
let server: Server;
let transport: Transport;
afterEach(() => closed(server, transport));

/** A cluster whose server answers so, and the requests that it got. */
async function answering(listener: RequestListener): Promise<{ cluster: Cluster; asked: string[] }> {
  const asked: string[] = [];
  const given = await listening((request, response) => {
    asked.push(request.url ?? '');
    return listener(request, response);
  });
  server = given.server;
  const { origin } = given;
  transport = new Transport({ origin, basePath: '', namespace: '', credentials: async () => ({ tls: {} }) });
  return { cluster: new KubernetesCluster(transport, { ...systemClock, random: () => 0 }), asked };
}

/** Answers as long as a client reads, without the end of a line. */
const flooding =
  (code: number): RequestListener =>
  (_, response) => {
    pipeline(Readable.from(endless()), response.writeHead(code)).catch(() => {}); // nobody listens any more
  };

function* endless(): Generator<Buffer> {
  for (const chunk = Buffer.alloc(mebibyte, 'x'); ; ) yield chunk;
}

/** A list of so many ConfigMaps, of so many mebibytes each, as large a page as is asked for. */
function listOf(count: number, size: number): RequestListener {
  return ({ url = '' }, response) => {
    const { searchParams } = new URL(url, 'http://server');
    const [from, limit] = [Number(searchParams.get('continue')), Number(searchParams.get('limit'))];
    const names = Array.from({ length: count }, (_, index) => `a${index}`).slice(from, from + limit);
    const data = { a: 'x'.repeat(size * mebibyte) };
    const next = from + limit < count ? String(from + limit) : '';
    const items = names.map((name) => ({ ...live(configMap(name)), data }));
    response.end(JSON.stringify({ items, metadata: { resourceVersion: '7', continue: next } }));
  };
}

async function namesOf(cluster: Cluster): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { items } of allPages({ cluster, kind: ConfigMap }, {}))
    names.push(...items.map(({ metadata }) => metadata.name));
  return names;
}

describe('R9 R34 a list', () => {
  test('of objects that are as large as the server takes them is asked for in smaller pages, and found whole', async () => {
    const { cluster, asked } = await answering(listOf(5, 3));
    expect(await namesOf(cluster)).toEqual(['a0', 'a1', 'a2', 'a3', 'a4']);
    const limits = asked.map((url) => Number(new URL(url, 'http://server').searchParams.get('limit')));
    expect(limits).toEqual([100, 50, 25, 12, 6, 3, 1, 1, 1, 1, 1]);
  });

  test('of one object has place for all that the server can write of one', async () => {
    const { cluster } = await answering(listOf(2, 18));
    expect(await namesOf(cluster)).toEqual(['a0', 'a1']);
  });
});

const name = { namespace: 'team', name: 'a' };
const read = (cluster: Cluster) => cluster.read(ConfigMap, name);
const follow = async (cluster: Cluster) => {
  const { signal } = new AbortController();
  for await (const _ of cluster.watch(ConfigMap, { resourceVersion: '1', timeoutSeconds: 300, signal }));
};
const large = {
  code: 200,
  reason: 'AnswerTooLarge',
  message: expect.stringMatching(/^GET \/api.*: response is larger than 33554432/),
};
const broken = { code: 422, reason: 'Invalid', message: expect.stringMatching(/exceeds the limit$/) };

describe('R9 R34 what never ends', () => {
  test.each([
    { what: 'a read', code: 200, call: read, told: large },
    { what: 'a watch', code: 200, call: follow, told: large },
    { what: 'a refusal', code: 422, call: read, told: broken },
    { what: 'a refusal of a watch', code: 422, call: follow, told: broken },
  ])('as the answer to $what with $code is given up, once', async ({ code, call, told }) => {
    const { cluster, asked } = await answering(flooding(code));
    await expect(call(cluster)).rejects.toMatchObject(told);
    expect(asked).toHaveLength(1);
  });
});
