import type { RequestListener, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createSecureContext } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { CertificateAuthority } from '../../../../operator/certificates/authority.js';
import { Transport } from '../../../../operator/cluster/http/transport.js';
import { KubernetesCluster } from '../../../../operator/cluster/kubernetes-cluster.js';
import { FencedError, OutdatedError } from '../../../../operator/runtime/kubernetes/errors.js';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { fenced } from '../../../../operator/runtime/leader/write-fence.js';
import { configMap } from '../../../given.js';

const authority = await CertificateAuthority.create();
const { certificate: cert, key } = await authority.issue({ commonName: 'server', hosts: ['api.test'] });

let stop = () => Promise.resolve();
afterEach(() => stop());

/** What a write is answered with. */
const written = JSON.stringify({ metadata: { name: 'a', uid: 'uid-a', resourceVersion: '1' } });

/** A process with one connection to an API server, and a term that ends without telling anybody. */
async function given(listener: RequestListener, shakingHands = () => {}) {
  const server = createServer(
    {
      SNICallback: (_, proceed) => {
        shakingHands();
        proceed(null, createSecureContext({ cert, key }));
      },
    },
    listener,
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = async () => ({ tls: { ca: authority.own.certificate, servername: 'api.test' } });
  const transport = new Transport({ origin, basePath: '', namespace: '', credentials }, { connections: 1 });
  stop = async () => {
    await transport.close();
    await new Promise((resolve) => server.close(resolve));
  };
  const term = { isOver: false, signal: new AbortController().signal, holds: () => !term.isOver };
  const cluster = fenced(new KubernetesCluster(transport), () => term);
  const write = () => cluster.create(ConfigMap, configMap('a'), { manager: 'somebody' });
  return { cluster, term, write };
}

describe('a write that waits for a connection', () => {
  it.each([
    { sends: 2, when: 'does not end', ends: false },
    { sends: 1, when: 'ends', ends: true },
  ])('R29 sends $sends when the pool is full and the term $when meanwhile', async ({ sends, ends }) => {
    const asked: ServerResponse[] = [];
    let arrived = () => {};
    const first = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const { term, write } = await given((_, response) => {
      asked.push(response);
      if (asked.length > 1) response.end(written);
      arrived();
    });
    const sent = write();
    const waiting = write();
    await first;
    term.isOver = ends;
    asked[0]?.end(written);
    await sent;
    if (ends) await expect(waiting).rejects.toBeInstanceOf(FencedError);
    else await waiting;
    expect(asked).toHaveLength(sends);
  });

  it('fails with the reason of its cancellation', async () => {
    const { cluster } = await given((_, response) => response.end(written));
    const edited = new OutdatedError('the resource was edited');
    const mayLeave = () => {
      throw edited;
    };
    const writing = cluster.apply(ConfigMap, configMap('a'), { manager: 'somebody', mayLeave });
    await expect(writing).rejects.toBe(edited);
  });

  it('R29 does not leave when the term ends while hands are shaken', async () => {
    let requests = 0;
    const answer: RequestListener = (_, response) => {
      requests++;
      response.end(written);
    };
    const { cluster, term, write } = await given(answer, () => {
      term.isOver = true;
    });
    await expect(write()).rejects.toBeInstanceOf(FencedError);
    expect(requests).toBe(0);
    await cluster.read(ConfigMap, { name: 'a' }); // the connection is good, and reads may use it
    expect(requests).toBe(1);
  });
});
