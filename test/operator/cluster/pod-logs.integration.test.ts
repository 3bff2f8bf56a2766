import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { CertificateAuthority } from '../../../operator/certificates/authority.js';
import { kubeconfig } from '../../../operator/cluster/connection/kubeconfig.js';
import { Transport } from '../../../operator/cluster/http/transport.js';
import { KubernetesPodLogs } from '../../../operator/cluster/pod-logs.js';
import { freshNamespace, givenControlPlane } from '../../given/control-plane.js';

const controlPlane = givenControlPlane();
const node = `logs-${process.pid}`;
let kubelet: Server;
let namespace: string;
let transport: Transport;
/** The requests that the API server sent to the kubelet, and the answers to them that are still open. */
const asked: { readonly url: URL; readonly answer: ServerResponse; readonly request: IncomingMessage }[] = [];

beforeAll(async () => {
  const authority = await CertificateAuthority.create(1);
  const { certificate, key } = await authority.issue({ commonName: node, hosts: ['127.0.0.1'] });
  kubelet = createServer({ cert: certificate, key }, (request, answer) => {
    asked.push({ url: new URL(request.url ?? '', 'https://kubelet'), answer, request });
    answer.writeHead(200, { 'content-type': 'text/plain' });
    answer.write('2026-11-27T12:00:01.000000000Z first\n');
  });
  kubelet.listen(0, '127.0.0.1');
  await once(kubelet, 'listening');
  const { port } = kubelet.address() as AddressInfo;
  namespace = await freshNamespace(controlPlane);
  const apply = async (object: object, ...args: readonly string[]) => {
    const { code, stderr } = await controlPlane.kubectl(['apply', '--server-side', ...args, '-f', '-'], {
      input: JSON.stringify({ apiVersion: 'v1', ...object }),
    });
    if (code !== 0) throw new Error(stderr);
  };
  await apply({ kind: 'Node', metadata: { name: node } });
  const status = {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
  };
  await apply({ kind: 'Node', metadata: { name: node }, status }, '--subresource=status');
  const spec = {
    nodeName: node,
    containers: [{ name: 'trainer', image: 'trainer:1' }],
    automountServiceAccountToken: false,
  };
  await apply({ kind: 'ServiceAccount', metadata: { name: 'default', namespace } });
  await apply({ kind: 'Pod', metadata: { name: 'ranking-0-0', namespace }, spec });
  transport = new Transport(await kubeconfig(controlPlane.kubeconfig));
});
afterAll(async () => {
  await controlPlane.kubectl(['delete', 'node', node]);
  await transport?.close();
  kubelet?.closeAllConnections();
  kubelet?.close();
});

const since = new Date('2026-11-27T12:00:00.900Z');
const follow = (name: string, signal: AbortSignal) =>
  new KubernetesPodLogs(transport).follow({ namespace, name }, { container: 'trainer', since, signal });

test('a log is followed through the API server, from a whole second and with the time of each line', async () => {
  const stop = new AbortController();
  const pieces = (await follow('ranking-0-0', stop.signal))[Symbol.asyncIterator]();
  const next = async () => Buffer.concat([...((await pieces.next()).value ?? [])]).toString();
  expect(await next()).toBe('2026-11-27T12:00:01.000000000Z first\n');
  const [{ url, answer, request } = {} as never] = asked;
  expect(url.pathname).toBe(`/containerLogs/${namespace}/ranking-0-0/trainer`);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    follow: 'true',
    sinceTime: '2026-11-27T12:00:00Z',
    timestamps: 'true',
  });

  answer.write('2026-11-27T12:00:02.000000000Z second\n');
  expect(await next()).toBe('2026-11-27T12:00:02.000000000Z second\n');

  stop.abort(new Error('the log is no longer followed'));
  await expect(pieces.next()).rejects.toThrow('the log is no longer followed');
  // The kubelet no longer sends what nobody reads.
  await vi.waitFor(() => expect(request.destroyed || answer.destroyed).toBe(true), { timeout: 120_000 });
});

test('a log ends when its container ends', async () => {
  const pieces = await follow('ranking-0-0', new AbortController().signal);
  await vi.waitFor(() => expect(asked.length).toBe(2), { timeout: 120_000 });
  asked[1]?.answer.end('2026-11-27T12:00:02.000000000Z last\n');
  const all: Buffer[] = [];
  for await (const some of pieces) all.push(...some);
  expect(Buffer.concat(all).toString()).toContain('last\n');
});

test('a Pod that is not there has no log', async () => {
  await expect(follow('nobody', new AbortController().signal)).rejects.toMatchObject({ code: 404, reason: 'NotFound' });
});
