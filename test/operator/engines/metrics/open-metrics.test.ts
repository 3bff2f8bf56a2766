import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CertificateAuthority } from '../../../../operator/certificates/authority.js';
import type {
  RequestMetricsAnswer,
  RequestMetricsQuestion,
} from '../../../../operator/controllers/algorithm/ports/request-metrics.js';
import { serviceLabel } from '../../../../operator/engines/metrics/counters.js';
import { openMetrics } from '../../../../operator/engines/metrics/open-metrics.js';
import { systemClock } from '../../../../operator/runtime/ports/clock.js';

const question: RequestMetricsQuestion = {
  namespace: 'team',
  proxies: { labels: { app: 'proxy' }, port: 9100 },
  sides: { stable: { services: ['web-stable'] } },
};

/** A cluster in which one proxy runs. */
const cluster = {
  list: async () => {
    const metadata = { name: 'proxy-1', namespace: 'team', uid: 'uid-1', resourceVersion: '1' };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata, status: { phase: 'Running', podIP: '10.0.0.1' } };
    return { items: [pod], resourceVersion: '1', bytes: 0 };
  },
};

describe('a Prometheus that lets nobody in without a token', () => {
  let folder: string;
  let server: Server;
  let authority: CertificateAuthority;
  const heard: (string | undefined)[] = [];
  const file = (name: string) => join(folder, name);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'numbers-'));
    authority = await CertificateAuthority.create();
    const { certificate: cert, key } = await authority.issue({ commonName: 'prometheus', hosts: ['127.0.0.1'] });
    server = createServer({ cert, key }, (request, response) => {
      heard.push(request.headers.authorization);
      const metric = { namespace: 'team', pod: 'proxy-1' };
      const requests = {
        ...metric,
        __name__: 'traefik_service_requests_total',
        service: serviceLabel('team', 'web-stable'),
      };
      const result = [
        { metric: { ...metric, __name__: 'traefik_config_reloads_total' }, values: [[1700000000, '1']] },
        { metric: { ...requests, code: '200' }, values: [[1700000000, '12']] },
      ];
      const answer = { status: 'success', data: { resultType: 'matrix', result } };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    heard.length = 0;
    await writeFile(file('ca'), authority.own.certificate);
    await writeFile(file('token'), 'first\n');
  });

  const open = (location: { readonly caFile: string; readonly tokenFile: string }) => {
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { provided, close } = openMetrics({ url, ...location }, { cluster, clock: systemClock });
    const { signal } = new AbortController();
    const ask = () => provided.source(question as never, { signal }) as Promise<RequestMetricsAnswer>;
    return { ask, close };
  };

  test('is asked for what it scraped', async () => {
    const { ask, close } = open({ caFile: file('ca'), tokenFile: file('token') });
    const { sides } = await ask();
    expect(sides['stable']).toMatchObject({ at: 1_700_000_000_000, sources: { 'uid-1': { codes: { 200: 12 } } } });
    await close();
  });

  test('is shown the token as it is now', async () => {
    const { ask, close } = open({ caFile: file('ca'), tokenFile: file('token') });
    await ask();
    await writeFile(file('token'), 'second');
    await ask();
    expect(heard).toEqual(['Bearer first', 'Bearer second']);
    await close();
  });

  test('is shown no token when its certificate is of nobody who is trusted', async () => {
    const { ask, close } = open({ caFile: '', tokenFile: file('token') });
    await expect(ask()).rejects.toThrow('unable to verify');
    expect(heard).toEqual([]);
    await close();
  });

  test('is trusted as soon as its authority is', async () => {
    const other = await CertificateAuthority.create();
    await writeFile(file('ca'), other.own.certificate);
    const { ask, close } = open({ caFile: file('ca'), tokenFile: file('token') });
    await expect(ask()).rejects.toThrow();
    await writeFile(file('ca'), authority.own.certificate);
    expect((await ask()).silent).toEqual([]);
    await close();
  });

  test('is not asked without the token that it takes', async () => {
    const { ask, close } = open({ caFile: file('ca'), tokenFile: file('none') });
    await expect(ask()).rejects.toThrow('ENOENT');
    expect(heard).toEqual([]);
    await close();
  });
});
