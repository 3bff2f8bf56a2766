import type { RequestListener } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { preflight } from '../../../cli/run/preflight.js';
import type { Connection } from '../../../operator/cluster/connection/connection.js';
import { listening } from '../../operator/cluster/http/given-server.js';

let close: (() => unknown) | undefined;
afterEach(() => close?.());

async function given(listener: RequestListener): Promise<Connection> {
  const { server, origin } = await listening(listener);
  close = () => server.close();
  return { origin, basePath: '', namespace: 'team', credentials: () => Promise.resolve({ tls: {} }) };
}

const status = (code: number, reason: string, name = '') =>
  JSON.stringify({ kind: 'Status', code, reason, message: reason, ...(name && { details: { name } }) });

const answering: RequestListener = ({ url = '' }, response) => {
  const name = url.split('/').at(-1) ?? '';
  const object = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, uid: name } });
  if (name === 'secret') response.writeHead(403).end(status(403, 'Forbidden', name));
  else if (name === 'nowhere') response.writeHead(404).end(status(404, 'NotFound', name));
  else response.writeHead(200).end(object);
};

test.each([
  { names: [], missing: [] },
  { names: ['team'], missing: [] },
  { names: ['team', 'nowhere'], missing: ['nowhere'] },
  { names: ['nowhere'], missing: ['nowhere'] },
  { names: ['secret'], missing: [] },
])('of the namespaces $names $missing are missing', async ({ names, missing }) => {
  expect(await preflight(names, await given(answering))).toEqual({ missing });
});

test.each([{ names: [] }, { names: ['team', 'nowhere'] }])(
  'the preflight reports an API server without an answer for the namespaces $names',
  async (row) => {
    const connection = await given(({ socket }) => socket.destroy());
    const unanswered = expect.stringMatching(/^GET \/api\/v1\/namespaces\/\w+: no answer: /);
    expect(await preflight(row.names, connection)).toEqual({ unanswered, missing: [] });
  },
);

test('a missing kubeconfig is an error with its reason', async () => {
  const credentials = () => Promise.reject(new Error('spawn aws ENOENT'));
  const { unanswered } = await preflight(['team'], { ...(await given(answering)), credentials });
  expect(unanswered).toContain('spawn aws ENOENT');
});

test('of several that are asked for one answer is enough', async () => {
  const connection = await given((request, response) => {
    if (request.url?.endsWith('/lost')) request.socket.destroy();
    else answering(request, response);
  });
  expect(await preflight(['lost', 'nowhere'], connection)).toEqual({ missing: ['nowhere'] });
});
