import type { RequestListener, Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
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

const answer =
  (code: number, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(code, headers).end('{}');
/** The server took the request, and its answer is lost. */
const reset: RequestListener = (request) => request.socket.destroy();

const name = { namespace: 'team', name: 'a' };
const options = { manager: 'somebody' };
const calls: Readonly<Record<string, (cluster: Cluster) => Promise<unknown>>> = {
  list: (cluster) => cluster.list(ConfigMap, {}),
  read: (cluster) => cluster.read(ConfigMap, name),
  create: (cluster) => cluster.create(ConfigMap, configMap('a'), options),
  apply: (cluster) => cluster.apply(ConfigMap, configMap('a'), options),
  patch: (cluster) => cluster.patch(ConfigMap, name, [], options),
  remove: (cluster) => cluster.remove(ConfigMap, name, { uid: 'a' }),
};

/** How often the server sees a call that it always answers like this. */
async function timesSent(call: (cluster: Cluster) => Promise<unknown>, listener: RequestListener): Promise<number> {
  let requests = 0;
  const given = await listening((request, response) => {
    requests++;
    listener(request, response);
  });
  server = given.server;
  const { origin } = given;
  transport = new Transport({ origin, basePath: '', namespace: '', credentials: async () => ({ tls: {} }) });
  const clock = { ...systemClock, random: () => 0 }; // no waits but those that the server asks for
  await expect(call(new KubernetesCluster(transport, clock))).rejects.toMatchObject({ name: 'ApiError' });
  return requests;
}

const repeated = { list: 4, read: 4, create: 1, apply: 4, patch: 1, remove: 4 };
const all = { list: 4, read: 4, create: 4, apply: 4, patch: 4, remove: 4 };
const none = { list: 1, read: 1, create: 1, apply: 1, patch: 1, remove: 1 };

describe.each([
  { when: 'the connection is reset', listener: reset, times: repeated },
  { when: 'the server fails', listener: answer(500), times: repeated },
  { when: 'a proxy finds no server', listener: answer(502), times: repeated },
  { when: 'the server is unavailable', listener: answer(503), times: repeated },
  { when: 'the server took too long', listener: answer(504), times: repeated },
  { when: 'the server turns it away', listener: answer(429), times: all },
  { when: 'the server turns it away for a time', listener: answer(503, { 'retry-after': '0' }), times: all },
  { when: 'the server is not to be asked for a while', listener: answer(429, { 'retry-after': '60' }), times: none },
  { when: 'it is refused', listener: answer(422), times: none },
  { when: 'it conflicts', listener: answer(409), times: none },
])('a call that fails because $when', ({ listener, times }) => {
  it.each(Object.entries(times))('R4 %s leaves %s times', async (call, expected) => {
    expect(await timesSent(calls[call] ?? (() => Promise.resolve()), listener)).toBe(expected);
  });
});
