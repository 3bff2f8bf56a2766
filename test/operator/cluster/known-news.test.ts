import type { Server } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { KubernetesCluster } from '../../../operator/cluster/kubernetes-cluster.js';
import { Transport } from '../../../operator/cluster/transport.js';
import type { WatchEvent } from '../../../operator/runtime/cluster.js';
import { ConfigMap } from '../../../operator/runtime/kinds.js';
import { closed, listening } from './given-server.js';

let server: Server;
let transport: Transport;
afterEach(() => closed(server, transport));

/** What a watch tells of these lines to someone who knows version 7. */
async function told(lines: readonly string[]): Promise<readonly WatchEvent[]> {
  const given = await listening((_, response) => response.end(lines.map((line) => `${line}\n`).join('')));
  server = given.server;
  const { origin } = given;
  transport = new Transport({ origin, basePath: '', namespace: '', credentials: async () => ({ tls: {} }) });
  const events: WatchEvent[] = [];
  const isKnown = (version: string) => version === '7';
  const cluster = new KubernetesCluster(transport);
  for await (const event of cluster.watch(ConfigMap, { timeoutSeconds: 9, isKnown })) events.push(event);
  return events;
}

function named(event: WatchEvent): string {
  const { resourceVersion } = 'object' in event ? event.object.metadata : event;
  return `${event.type} ${resourceVersion}`;
}

const object = (version: string) => `{"kind":"ConfigMap","metadata":{"name":"a","resourceVersion":"${version}"}}`;
/** What nobody can read. */
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

it('of what is gone no more is read than what it was, and its metadata', async () => {
  const metadata = { name: 'a', uid: 'b', resourceVersion: '8' };
  const gone = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { ...metadata, managedFields: [] }, data: {} };
  const line = JSON.stringify({ type: 'DELETED', object: gone });
  const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata };
  expect(await told([line])).toEqual([{ type: 'DELETED', object, bytes: line.length }]);
});
