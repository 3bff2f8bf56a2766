import { lookup } from 'node:dns';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import type {
  HaproxyAnswer,
  HaproxyChange,
  HaproxyQuestion,
  HaproxyRequest,
} from '../../../../operator/controllers/publication/ports/haproxy.js';
import { allowedAddresses } from '../../../../operator/egress/allowed-addresses.js';
import { haproxySource } from '../../../../operator/engines/publication/haproxy/haproxy-source.js';
import { systemClock } from '../../../../operator/runtime/ports/clock.js';
import type { Perform, Source } from '../../../../operator/runtime/ports/external-port.js';
import { haproxyContract } from './haproxy.contract.js';
import { contractBackend, HaproxyProgram, haproxyProgram } from './haproxy-program.js';

const program = haproxyProgram(process.env['PATH'] ?? '');
if (!program) console.warn("skipped: the tests of HAProxy require Debian's haproxy");

const running = program ? await HaproxyProgram.start(program) : undefined;
const address = running?.address ?? '127.0.0.1:1';
afterAll(() => running?.dispose());

const provided = haproxySource({ clock: systemClock, addresses: { lookupFor: () => lookup as LookupFunction } });
const source = provided.source as unknown as Source<HaproxyQuestion, HaproxyAnswer>;
const perform = provided.performer?.perform as Perform<HaproxyRequest>;
const { signal } = new AbortController();
const ask = async (at = address) => (await source({ address: at, backend: contractBackend }, { signal })).servers;
const send = (changes: readonly HaproxyChange[], at = address, mayLeave = () => {}) =>
  perform({ address: at, backend: contractBackend, changes }, { signal, mayLeave });

/** Leaves the configured server alone. */
async function emptied(): Promise<void> {
  const names = (await ask()).map(({ name }) => name).filter((name) => name.startsWith('rc-'));
  for (const name of names) await send([{ act: 'set', name, state: 'maint' }]);
  for (const name of names) await send([{ act: 'delete', name }]);
  await send([{ act: 'set', name: 'by-hand', state: 'ready' }]);
}

/** An HTTP server that answers with its own name. */
async function given(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** The text that a client of HAProxy gets. */
function fetched(): Promise<string> {
  return new Promise((resolve, reject) => {
    const url = `http://127.0.0.1:${running?.ports.clients}/`;
    get(url, { agent: false }, (response) => {
      let text = `${response.statusCode} `;
      response.on('data', (chunk) => {
        text += String(chunk);
      });
      response.on('end', () => resolve(text));
    }).on('error', reject);
  });
}

const ready = (name: string, port: number): readonly HaproxyChange[] => [
  { act: 'add', name, address: '127.0.0.1', port },
  { act: 'set', name, state: 'ready' },
];
const away = (name: string): readonly HaproxyChange[] => [
  { act: 'set', name, state: 'maint' },
  { act: 'delete', name },
];

describe.skipIf(!program)('HAProxy', () => {
  haproxyContract(async () => {
    if (program) await emptied();
    return { address, provided };
  });

  test('sends clients to a server once it is ready, and to no server that drains', async () => {
    await emptied();
    await send([{ act: 'set', name: 'by-hand', state: 'maint' }]);
    const [one, two] = [
      await given((_, response) => response.end('one')),
      await given((_, response) => response.end('two')),
    ];
    expect(await fetched()).toMatch(/^503/);
    await send([...ready('rc-one', one), ...ready('rc-two', two)]);
    expect(new Set([await fetched(), await fetched()])).toEqual(new Set(['200 one', '200 two']));
    await send([{ act: 'set', name: 'rc-one', state: 'drain' }]);
    expect([await fetched(), await fetched(), await fetched()]).toEqual(['200 two', '200 two', '200 two']);
  });

  test('keeps a server in maintenance that still answers a request, and reports it as busy', async () => {
    await emptied();
    await send([{ act: 'set', name: 'by-hand', state: 'maint' }]);
    let finish = () => {};
    const asked = new Promise<void>((resolve) => {
      void given((_, response) => {
        finish = () => response.end('late');
        resolve();
      }).then(async (port) => {
        await send(ready('rc-slow', port));
        late = fetched();
      });
    });
    let late: Promise<string> | undefined;
    await asked;
    await expect(send(away('rc-slow'))).rejects.toMatchObject({ kind: 'retryable', mayHaveEffect: true });
    const busy = { name: 'rc-slow', state: 'maint', isBusy: true };
    expect(await ask()).toEqual([expect.anything(), expect.objectContaining(busy)]);
    finish();
    expect(await late).toBe('200 late');
    await expect.poll(async () => (await ask())[1]).toMatchObject({ isBusy: false });
    await send(away('rc-slow'));
    expect((await ask()).map(({ name }) => name)).toEqual(['by-hand']);
  });

  test('has its configuration alone after a restart, and is unreachable meanwhile', async () => {
    await emptied();
    await send(ready('rc-one', 8080));
    await running?.kill();
    await expect(send(ready('rc-two', 8080))).rejects.toMatchObject({ kind: 'unreachable', mayHaveEffect: false });
    await expect(ask()).rejects.toThrow(`${address}: connect ECONNREFUSED ${address}`);
    await running?.restart();
    expect((await ask()).map(({ name }) => name)).toEqual(['by-hand']);
    await send(ready('rc-one', 8080));
    expect((await ask()).map(({ name, state }) => [name, state])).toEqual([
      ['by-hand', 'ready'],
      ['rc-one', 'ready'],
    ]);
  });

  test('changes nothing through a socket without rights', async () => {
    await emptied();
    const at = `127.0.0.1:${running?.ports.user}`;
    const failed = send(ready('rc-one', 8080), at);
    await expect(failed).rejects.toMatchObject({
      kind: 'unauthorized',
      message: expect.stringMatching(/answered: Permission denied; its stats socket must have level admin/),
    });
    expect((await ask()).map(({ name }) => name)).toEqual(['by-hand']);
  });

  test('changes nothing for a process that does not lead any more', async () => {
    await emptied();
    const mayLeave = () => {
      throw new Error('not the leader');
    };
    await expect(send(ready('rc-one', 8080), address, mayLeave)).rejects.toThrow('not the leader');
    expect((await ask()).map(({ name }) => name)).toEqual(['by-hand']);
  });
});

test.each([
  { at: '127.0.0.1:9999', says: 'must not be loopback' },
  { at: '[::1]:9999', says: 'must not be loopback' },
  { at: '192.0.2.9:9999', says: 'add 192.0.2.9 to --allowed-addresses' },
  { at: '192.0.2.9', says: 'must be a host and a port' },
  { at: '192.0.2.9:0', says: 'must be a host and a port' },
  { at: '2001:db8::9:9999', says: 'must be a host and a port' },
])('connects to no address that the operator does not allow: $at', async ({ at, says }) => {
  const addresses = allowedAddresses([]);
  const guarded = haproxySource({ clock: systemClock, addresses }).source as unknown as typeof source;
  const asked = guarded({ address: at, backend: contractBackend }, { signal });
  await expect(asked).rejects.toMatchObject({ kind: 'terminal', message: expect.stringContaining(says) });
  await addresses.close();
});
