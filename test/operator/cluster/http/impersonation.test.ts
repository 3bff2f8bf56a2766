import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { kubeconfig } from '../../../../operator/cluster/connection/kubeconfig.js';
import { Transport } from '../../../../operator/cluster/http/transport.js';

test.each([{ as: 'system:serviceaccount:team:weak' }, { as: 'weak', 'as-groups': ['few'] }])(
  'R3 acts as whom the kubeconfig says, or not at all: %j',
  async (impersonation) => {
    const heard: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      heard.push(request.headers['impersonate-user'] as string | undefined);
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const file = join(await mkdtemp(join(tmpdir(), 'zz-')), 'config');
    const config = {
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'here' },
      contexts: [{ name: 'here', context: { cluster: 'one', user: 'me' } }],
      clusters: [{ name: 'one', cluster: { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'me', user: { token: 'admin', ...impersonation } }],
    };
    await writeFile(file, JSON.stringify(config));
    try {
      const transport = new Transport(await kubeconfig(file));
      await transport.json({ method: 'GET', path: '/' });
      await transport.close();
    } catch (error) {
      if (!('as-groups' in impersonation)) throw error; // else refused
    }
    server.close();
    for (const who of heard) expect(who).toBe(impersonation.as);
    if ('as-groups' in impersonation) expect(heard).toEqual([]); // groups cannot be carried: nothing is sent
  },
);
