import type { Server } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { Transport } from '../../../operator/cluster/http/transport.js';
import { KubernetesCluster } from '../../../operator/cluster/kubernetes-cluster.js';
import { ConfigMap } from '../../../operator/runtime/kubernetes/kinds.js';
import { systemClock } from '../../../operator/runtime/ports/clock.js';
import type { Cluster } from '../../../operator/runtime/ports/cluster.js';
import { configMap } from '../../given.js';
import { closed, listening } from './http/given-server.js';

let server: Server;
let transport: Transport;
afterEach(() => closed(server, transport));

/** A cluster whose server answers everything so. */
async function answering(body: unknown, code = 200): Promise<Cluster> {
  const given = await listening((_, response) => response.writeHead(code).end(JSON.stringify(body)));
  server = given.server;
  const { origin } = given;
  transport = new Transport({ origin, basePath: '', namespace: '', credentials: async () => ({ tls: {} }) });
  return new KubernetesCluster(transport, { ...systemClock, random: () => 0 });
}

const name = { namespace: 'team', name: 'a' };
const by = { manager: 'somebody' };
const calls: readonly (readonly [what: string, call: (cluster: Cluster) => Promise<unknown>])[] = [
  ['list', (cluster) => cluster.list(ConfigMap, {})],
  ['read', (cluster) => cluster.read(ConfigMap, name)],
  ['create', (cluster) => cluster.create(ConfigMap, configMap('a'), by)],
  ['apply', (cluster) => cluster.apply(ConfigMap, configMap('a'), by)],
  ['patch', (cluster) => cluster.patch(ConfigMap, name, [], by)],
];
const bodies: readonly (readonly [is: string, body: unknown])[] = [
  ['a Status', { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' }],
  ['a Pod', { kind: 'Pod', metadata: { resourceVersion: '7' } }],
  ['something else', null],
  ['something else', 'pong'],
  ['something else', []],
];
const rows = calls.flatMap(([what, call]) => bodies.map(([is, body]) => ({ what, call, is, body })));

test.each(rows)('R4 $what fails if the answer is 200 with $is', async ({ call, is, body }) => {
  const cluster = await answering(body);
  await expect(call(cluster)).rejects.toMatchObject({
    reason: 'NoAnswer',
    message: expect.stringContaining(`the answer is ${is}, not`),
  });
});

test('R4 a list of nothing may be null', async () => {
  const cluster = await answering({ kind: 'ConfigMapList', metadata: { resourceVersion: '7' }, items: null });
  expect(await cluster.list(ConfigMap, {})).toMatchObject({ items: [], resourceVersion: '7' });
});

const absent = [
  { what: 'a read', call: (cluster: Cluster) => cluster.read(ConfigMap, name) },
  { what: 'a removal', call: (cluster: Cluster) => cluster.remove(ConfigMap, name, { uid: '1' }) },
];
const missing = { kind: 'Status', reason: 'NotFound', message: 'not found' };

test.each(absent)('R4 $what is NotFound only if the server names that object', async ({ call }) => {
  expect(await call(await answering({ ...missing, details: { name: 'a', kind: 'configmaps' } }, 404))).toBeUndefined();
});

test.each(
  absent.flatMap((one) => [
    { ...one, is: 'a page of a proxy', body: '404 page not found' },
    { ...one, is: 'a Status of no object', body: { ...missing, details: {} } },
    { ...one, is: 'a Status of another', body: { ...missing, details: { name: 'b' } } },
  ]),
)('R4 $what that is answered with 404 and $is has proved nothing', async ({ call, body }) => {
  await expect(call(await answering(body, 404))).rejects.toMatchObject({ code: 404, reason: 'NotFound' });
});
