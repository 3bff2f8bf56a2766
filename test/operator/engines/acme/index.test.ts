import { afterEach, describe, expect, it } from 'vitest';
import { type Config, defaults } from '../../../../operator/config/config.js';
import { responderOf } from '../../../../operator/controllers/certificates/ports/responder.js';
import { allowedAddresses, publicLookupFor } from '../../../../operator/egress/allowed-addresses.js';
import { acme } from '../../../../operator/engines/acme/index.js';
import { systemClock } from '../../../../operator/runtime/ports/clock.js';
import { type Listening, listen } from '../../../../operator/telemetry/server.js';

const served = { acmePort: 8082, podIp: '10.0.0.7', allowedAddresses: ['acme.example.com'] };
const openWith = (config: Config) =>
  acme.open({ config, clock: systemClock, addresses: allowedAddresses(config.allowedAddresses) });
let listening: Listening | undefined;
afterEach(async () => listening?.close());

describe('the answers to HTTP-01 challenges', () => {
  it.each<readonly [when: string, change: Partial<Config>, expected: object | undefined]>([
    ['an ACME server is allowed', {}, { address: '10.0.0.7', port: 8082 }],
    ['no address is allowed', { allowedAddresses: [] }, undefined],
    ['the port is 0', { acmePort: 0 }, undefined],
    ['the address of the Pod is not known', { podIp: '' }, undefined],
  ])('are served if %s', (_, change, expected) => {
    const config = { ...defaults, ...served, ...change };
    expect(responderOf(config)).toEqual(expected);
    expect(openWith(config).servers.map(({ port }) => port)).toEqual(expected ? [8082] : []);
  });

  it('are 404 for everything but a pending challenge', async () => {
    const [responder] = openWith({ ...defaults, ...served }).servers;
    listening = await listen(responder?.server ?? expect.fail('no server'), 0);
    const answer = await fetch(`http://127.0.0.1:${listening.port}/.well-known/acme-challenge/a-token`);
    expect([answer.status, await answer.text()]).toEqual([404, '']);
  });
});

describe('the ports of ACME issuers', () => {
  it('refuse a directory that the operator does not allow', async () => {
    const { provided } = openWith({ ...defaults, ...served });
    const account = provided.find(({ port }) => port.name === 'reconstruct/acme-binding');
    const question = { directory: 'https://10.0.0.1/dir', keyId: 'kid', publicKey: {} };
    const asked = account?.source(question as never, {
      signal: new AbortController().signal,
      secret: { secret: 'aGVsbG8' },
    });
    await expect(asked).rejects.toThrow(/must be allowed by the operator: add 10\.0\.0\.1 to --allowed-addresses/);
  });

  it.each(['127.0.0.1', 'localhost', '169.254.169.254', '::1'])('do not look for a response at %s', (host) => {
    expect(() => publicLookupFor(host)).toThrow(/leads to the operator's own machine or network/);
  });

  it.each(['shop.example.com', '10.0.0.1'])('look for a response at %s without an entry in the allow-list', (host) => {
    expect(publicLookupFor(host)).toBeTypeOf('function');
  });
});
