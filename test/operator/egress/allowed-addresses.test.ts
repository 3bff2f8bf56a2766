import { createServer, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, test } from 'vitest';
import { addressRule } from '../../../operator/egress/address-rules.js';
import { allowedAddresses, guardedLookup } from '../../../operator/egress/allowed-addresses.js';
import { CallError } from '../../../operator/runtime/ports/external-call.js';

const all = ['*.example.org', 'example.org', 'localhost', '0.0.0.0/0', '::/0'];

describe('an address in a resource', () => {
  test.each<{ address: string; allowed: readonly string[] }>([
    { address: 'https://example.org/zones', allowed: ['example.org'] },
    { address: 'https://EXAMPLE.org.:8443', allowed: ['example.org'] },
    { address: 'http://api.example.org', allowed: ['*.example.org'] },
    { address: 'http://10.1.2.3:9000', allowed: ['10.0.0.0/8'] },
    { address: 'http://167838211', allowed: ['10.1.2.3'] },
    { address: 'http://[2001:db8::1]', allowed: ['2001:db8::/32'] },
    { address: 'http://[::ffff:10.1.2.3]', allowed: ['10.0.0.0/8'] },
  ])('is accepted: $address by $allowed', ({ address, allowed }) => {
    expect(allowedAddresses(allowed).check(address)).toBeInstanceOf(URL);
  });

  test.each<{ address: string; allowed: readonly string[]; saying: RegExp }>([
    { address: 'https://example.org', allowed: [], saying: /must be allowed by the operator: add example.org/ },
    { address: 'https://example.org', allowed: ['*.example.org'], saying: /must be allowed/ },
    { address: 'https://evilexample.org', allowed: ['*.example.org', 'example.org'], saying: /must be allowed/ },
    { address: 'https://example.org.evil.net', allowed: all, saying: /must be allowed/ },
    { address: 'http://11.0.0.1', allowed: ['10.0.0.0/8'], saying: /must be allowed/ },
    { address: 'ftp://example.org', allowed: all, saying: /must be an http or https URL/ },
    { address: 'file:///etc/passwd', allowed: all, saying: /must be an http or https URL/ },
    { address: 'example.org', allowed: all, saying: /must be an http or https URL/ },
    { address: 'http://[fe80::1%25eth0]/', allowed: all, saying: /must be an http or https URL/ },
    {
      address: 'http://me:secret@example.org',
      allowed: all,
      saying: /"http:\/\/…@example.org": must not contain a user/,
    },
  ])('is refused: $address by $allowed', ({ address, allowed, saying }) => {
    expect(() => allowedAddresses(allowed).check(address)).toThrow(saying);
  });

  test.each<{ host: string; is: string }>([
    { host: '127.0.0.1', is: 'loopback' },
    { host: '127.255.0.9', is: 'loopback' },
    { host: '127.1', is: 'loopback' },
    { host: '2130706433', is: 'loopback' },
    { host: '0x7f000001', is: 'loopback' },
    { host: '0177.0.0.1', is: 'loopback' },
    { host: 'localhost', is: 'loopback' },
    { host: 'LOCALHOST.', is: 'loopback' },
    { host: 'api.localhost', is: 'loopback' },
    { host: '[::1]', is: 'loopback' },
    { host: '[::ffff:127.0.0.1]', is: 'loopback' },
    { host: '[0:0:0:0:0:ffff:7f00:1]', is: 'loopback' },
    { host: '[64:ff9b::127.0.0.1]', is: 'loopback' },
    { host: '[2002:7f00:1::]', is: 'loopback' },
    { host: '[::7f00:1]', is: 'loopback' },
    { host: '0.0.0.0', is: 'unspecified' },
    { host: '0', is: 'unspecified' },
    { host: '[::]', is: 'unspecified' },
    { host: '169.254.169.254', is: 'link-local' },
    { host: '2852039166', is: 'link-local' },
    { host: '[::ffff:a9fe:a9fe]', is: 'link-local' },
    { host: '[64:ff9b::a9fe:a9fe]', is: 'link-local' },
    { host: '[fe80::1]', is: 'link-local' },
    { host: '[febf::1]', is: 'link-local' },
    { host: '224.0.0.1', is: 'multicast or broadcast' },
    { host: '255.255.255.255', is: 'multicast or broadcast' },
    { host: '[ff02::1]', is: 'multicast or broadcast' },
    { host: '100.100.100.200', is: 'a metadata service' },
    { host: '[fd00:ec2::254]', is: 'a metadata service' },
  ])('is refused although everything is allowed: $host is $is', ({ host, is }) => {
    expect(() => allowedAddresses(all).check(`http://${host}/`)).toThrow(`must not be ${is}`);
  });
});

test.each<{ entry: string; saying: RegExp }>([
  { entry: '10.0.0.0/33', saying: /a network such as/ },
  { entry: '10.0.0.0/x', saying: /a network such as/ },
  { entry: '10.1', saying: /a host name/ },
  { entry: 'https://example.org', saying: /a host name/ },
  { entry: '*', saying: /a host name/ },
  { entry: 'a.*.org', saying: /a host name/ },
  { entry: '127.0.0.0/8', saying: /127.0.0.0 is loopback/ },
  { entry: '::1', saying: /::1 is loopback/ },
])('an entry of the allow-list is refused: $entry', ({ entry, saying }) => {
  expect(() => addressRule(entry)).toThrow(saying);
});

/** Answers each question for the addresses of a name by the next of these. */
function answering(...answers: readonly (readonly string[])[]): LookupFunction {
  const left = [...answers];
  return (_host, _options, callback) => {
    const found = left.length > 1 ? left.shift() : left[0];
    callback(
      null,
      (found ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
}

describe('a name', () => {
  const resolved = (lookup: LookupFunction, all: boolean) =>
    new Promise<unknown>((resolve, reject) =>
      guardedLookup(lookup)('api.example.org', { all }, (error, answer) => (error ? reject(error) : resolve(answer))),
    );

  test.each<{ answers: readonly string[]; saying: string }>([
    { answers: ['127.0.0.1'], saying: '127.0.0.1, which is loopback' },
    { answers: ['203.0.113.7', '169.254.169.254'], saying: '169.254.169.254, which is link-local' },
    { answers: ['fe80::1%eth0'], saying: 'fe80::1%eth0, which is link-local' },
    { answers: ['::ffff:127.0.0.1'], saying: '::ffff:127.0.0.1, which is loopback' },
  ])('that resolves to $answers is refused', async ({ answers, saying }) => {
    await expect(resolved(answering(answers), true)).rejects.toThrow(`api.example.org: must not resolve to ${saying}`);
  });

  test.each<{ all: boolean; answer: unknown }>([
    { all: true, answer: [{ address: '203.0.113.7', family: 4 }] },
    { all: false, answer: '203.0.113.7' },
  ])('that resolves elsewhere keeps its answer, all: $all', async ({ all, answer }) => {
    expect(await resolved(answering(['203.0.113.7']), all)).toEqual(answer);
  });
});

describe('a connection that is no HTTP request', () => {
  const addresses = allowedAddresses(['ns.example.org'], { lookup: answering(['127.0.0.1']) });

  test.each(['ns.example.com', '127.0.0.1', '::1', 'localhost', ''])('to %j is refused', (host) => {
    expect(() => addresses.lookupFor(host)).toThrow(CallError);
  });

  test('to an allowed name is refused if the name leads to loopback', async () => {
    const lookup = addresses.lookupFor('NS.example.org');
    const found = new Promise((_, reject) => lookup('ns.example.org', {}, (error) => reject(error)));
    await expect(found).rejects.toThrow('must not resolve to 127.0.0.1');
  });
});

describe('fetch', () => {
  let server: Server | undefined;
  let requests = 0;
  afterEach(() => server?.close());

  /** @param headers of the answer, a redirect if there is one */
  const serve = async (host: string, headers: Record<string, string> = {}) => {
    requests = 0;
    server = createServer((_, response) => {
      requests++;
      response.writeHead(headers['Location'] ? 302 : 200, headers).end('hello');
    });
    await new Promise<void>((resolve) => server?.listen(0, host, resolve));
    return (server.address() as AddressInfo).port;
  };
  const own = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal && !one.address.startsWith('169.254.'))?.address;

  test('sends nothing to a name that resolves to loopback', async () => {
    const port = await serve('127.0.0.1');
    const addresses = allowedAddresses(['*.example.org'], { lookup: answering(['127.0.0.1']) });
    await expect(addresses.fetch(`http://api.example.org:${port}/`)).rejects.toMatchObject({
      ...{ name: 'CallError', kind: 'unreachable', mayHaveEffect: false },
      message: expect.stringContaining('must not resolve to 127.0.0.1'),
    });
    expect(requests).toBe(0);
    await addresses.close();
  });

  test.skipIf(own === undefined)('refuses a name that changes to loopback between two requests', async () => {
    const port = await serve('0.0.0.0');
    const lookup = answering([own ?? ''], ['127.0.0.1']);
    const addresses = allowedAddresses(['*.example.org'], { lookup });
    const url = `http://api.example.org:${port}/`;
    const first = await addresses.fetch(url, { headers: { Connection: 'close' } });
    expect(await first.text()).toBe('hello');
    await expect(addresses.fetch(url)).rejects.toThrow('must not resolve to 127.0.0.1');
    expect(requests).toBe(1);
    await addresses.close();
  });

  test.skipIf(own === undefined)('follows no redirect to an address that is not allowed', async () => {
    const port = await serve('0.0.0.0', { Location: 'http://169.254.169.254/latest/meta-data' });
    const addresses = allowedAddresses([own ?? '']);
    await expect(addresses.fetch(`http://${own}:${port}/`)).rejects.toThrow(/169.254.169.254: must not be link-local/);
    await addresses.close();
  });
});
