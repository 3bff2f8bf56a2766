import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Transport } from '../../../../operator/cluster/http/transport.js';
import { KubernetesCluster } from '../../../../operator/cluster/kubernetes-cluster.js';
import { FencedError } from '../../../../operator/runtime/kubernetes/errors.js';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Term } from '../../../../operator/runtime/leader/lease-term.js';
import { fenced } from '../../../../operator/runtime/leader/write-fence.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { configMap } from '../../../given.js';

let server: Server;
let transport: Transport;
let requests: number;
let term: Term & { isOver: boolean };
/** What happens while the credentials are read. */
let reading = () => {};
/** What happens when the server answers that it is busy. */
let answering = () => {};

beforeEach(async () => {
  requests = 0;
  term = { isOver: false, signal: new AbortController().signal, holds: () => !term.isOver };
  [reading, answering] = [() => {}, () => {}];
  server = createServer((_, response) => {
    requests++;
    answering();
    response.writeHead(429).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = async () => {
    reading();
    return { tls: {} };
  };
  transport = new Transport({ origin, basePath: '', namespace: '', credentials });
});
afterEach(async () => {
  await transport.close();
  await new Promise((resolve) => server.close(resolve));
});

const manager = 'somebody';
const writes: [name: string, write: (cluster: Cluster) => Promise<unknown>][] = [
  ['create', (cluster) => cluster.create(ConfigMap, configMap('a'), { manager })],
  ['apply', (cluster) => cluster.apply(ConfigMap, configMap('a'), { manager })],
  ['patch', (cluster) => cluster.patch(ConfigMap, { name: 'a' }, [], { manager })],
  ['remove', (cluster) => cluster.remove(ConfigMap, { name: 'a' }, { uid: 'a' })],
];
const end = () => {
  term.isOver = true;
};

describe.each(writes)('a %s', (_, write) => {
  const send = () => write(fenced(new KubernetesCluster(transport), () => term));

  it('R29 does not leave when the term ended while its credentials were read', async () => {
    reading = end;
    await expect(send()).rejects.toBeInstanceOf(FencedError);
    expect(requests).toBe(0);
  });

  it('R29 is not retried after the lease term ended, even before anything has noticed the end', async () => {
    answering = end;
    await expect(send()).rejects.toBeInstanceOf(FencedError);
    expect(requests).toBe(1);
  });
});

describe('a process that does not lead', () => {
  it.each(writes)('R29 cannot %s', async (_, write) => {
    await expect(write(fenced(new KubernetesCluster(transport), () => undefined))).rejects.toBeInstanceOf(FencedError);
    expect(requests).toBe(0);
  });
});
