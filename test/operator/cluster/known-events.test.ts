import type { Server } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { Transport } from '../../../operator/cluster/http/transport.js';
import { KubernetesCluster } from '../../../operator/cluster/kubernetes-cluster.js';
import { ConfigMap } from '../../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject } from '../../../operator/runtime/kubernetes/object.js';
import type { WatchEvent } from '../../../operator/runtime/ports/cluster.js';
import { closed, listening } from './http/given-server.js';

let server: Server;
let transport: Transport;
afterEach(() => closed(server, transport));

async function answering(text: string): Promise<KubernetesCluster> {
  const given = await listening((_, response) => response.end(text));
  server = given.server;
  const { origin } = given;
  transport = new Transport({ origin, basePath: '', namespace: '', credentials: async () => ({ tls: {} }) });
  return new KubernetesCluster(transport);
}

/** The events of these lines for a client with version 7. */
async function told(lines: readonly string[]): Promise<readonly WatchEvent[]> {
  const cluster = await answering(lines.map((line) => `${line}\n`).join(''));
  const events: WatchEvent[] = [];
  const isKnown = (version: string) => version === '7';
  for await (const event of cluster.watch(ConfigMap, { timeoutSeconds: 9, isKnown })) events.push(event);
  return events;
}

function named(event: WatchEvent): string {
  const { resourceVersion } = 'object' in event ? event.object.metadata : event;
  return `${event.type} ${resourceVersion}`;
}

const object = (version: string) => `{"kind":"ConfigMap","metadata":{"name":"a","resourceVersion":"${version}"}}`;
/** Unreadable content. */
const cut = (version: string) => object(version).slice(0, -1);

it('R16 news of a version that is known is not read, and everything else is', async () => {
  const lines = [
    `{"type":"ADDED","object":${object('6')}}`,
    `{"type":"MODIFIED","object":${cut('7')}}`,
    `{"type":"ADDED","object":${cut('7')}}`,
    `{"type":"DELETED","object":${object('7')}}`,
    `{"type":"BOOKMARK","object":${object('7')}}`,
    `{"type":"MODIFIED","object":${object('8')}}`,
  ];
  const events = ['ADDED 6', 'KNOWN 7', 'KNOWN 7', 'DELETED 7', 'BOOKMARK 7', 'MODIFIED 8'];
  expect((await told(lines)).map(named)).toEqual(events);
});

it('a deletion event is parsed only for the kind and the metadata', async () => {
  const metadata = { name: 'a', uid: 'b', resourceVersion: '8' };
  const gone = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { ...metadata, managedFields: [] }, data: {} };
  const line = JSON.stringify({ type: 'DELETED', object: gone });
  const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata };
  expect(await told([line])).toEqual([{ type: 'DELETED', object, bytes: line.length }]);
});

it('R16 the answer to a write of a version that is known is not read, and any other is', async () => {
  const cluster = await answering(cut('7'));
  const there = { metadata: { name: 'a', uid: 'b', resourceVersion: '7' } } as LiveObject;
  const known = (version: string) => (version === '7' ? there : undefined);
  const wish = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
  const create = (more: object) => cluster.create(ConfigMap, wish, { manager: 'x', ...more });
  expect(await create({ known })).toBe(there);
  await expect(create({ known: () => undefined })).rejects.toThrow('no answer');
  await expect(create({ known, dryRun: true })).rejects.toThrow('no answer');
  await expect(create({})).rejects.toThrow('no answer');
});

it('who manages which field is told of an object that is read or listed, and not of one that is news', async () => {
  const managedFields = [{ manager: 'x', operation: 'Apply', fieldsV1: { 'f:data': {} } }];
  const object = { metadata: { name: 'a', uid: 'b', resourceVersion: '8', managedFields } };
  const without = { metadata: { ...object.metadata, managedFields: [] } };
  const line = JSON.stringify({ type: 'ADDED', object });
  expect(await told([line])).toEqual([{ type: 'ADDED', object: without, bytes: line.length }]);
  await closed(server, transport);
  const list = JSON.stringify({ metadata: { resourceVersion: '8' }, items: [object] });
  const { items } = await (await answering(list)).list(ConfigMap, {});
  expect(items).toMatchObject([object]);
  await closed(server, transport);
  const cluster = await answering(JSON.stringify(object));
  const wish = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
  expect(await cluster.create(ConfigMap, wish, { manager: 'x', known: () => undefined })).toEqual(without);
  expect(await cluster.create(ConfigMap, wish, { manager: 'x' })).toEqual(object);
  expect(await cluster.read(ConfigMap, { name: 'a' })).toEqual(object);
});
