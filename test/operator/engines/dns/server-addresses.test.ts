import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { checkedLookup, isRemote } from '../../../../operator/engines/dns/server-addresses.js';
import { CallError } from '../../../../operator/runtime/ports/external-call.js';

test.each([
  { address: '10.0.0.53', remote: true },
  { address: '223.255.255.255', remote: true },
  { address: '2001:db8::53', remote: true },
  { address: 'fd00::53', remote: true },
  { address: '::ffff:10.0.0.53', remote: true },
  { address: '127.0.0.1', remote: false },
  { address: '127.255.0.1', remote: false },
  { address: '0.0.0.0', remote: false },
  { address: '169.254.169.254', remote: false },
  { address: '224.0.0.1', remote: false },
  { address: '255.255.255.255', remote: false },
  { address: '::', remote: false },
  { address: '::1', remote: false },
  { address: 'fe80::1', remote: false },
  { address: 'ff02::1', remote: false },
  { address: '::ffff:127.0.0.1', remote: false },
  { address: '::ffff:169.254.169.254', remote: false },
])('the operator may connect to $address: $remote', ({ address, remote }) => {
  expect(isRemote(address)).toBe(remote);
});

test.each(['127.0.0.1', '::1'])('the address %s is refused at once', (address) => {
  expect(() => checkedLookup(address, isRemote)).toThrow(
    new CallError('terminal', `server: Invalid value: "${address}": ${address} must be a permitted address`),
  );
});

const resolve = (host: string, mayConnect: (address: string) => boolean, all: boolean) =>
  promisify(checkedLookup(host, mayConnect) as never)(host, { all });

test.each([true, false])('a name that leads to a refused address is refused (all addresses: %s)', async (all) => {
  await expect(resolve('localhost', isRemote, all)).rejects.toThrow(
    /^server: Invalid value: "localhost": (127\.0\.0\.1|::1) must be a permitted address$/,
  );
});

test('a name leads to its addresses', async () => {
  const loopback = expect.stringMatching(/^(127\.0\.0\.1|::1)$/);
  expect(await resolve('localhost', () => true, false)).toEqual(loopback);
  expect(await resolve('localhost', () => true, true)).toContainEqual(expect.objectContaining({ address: loopback }));
});
