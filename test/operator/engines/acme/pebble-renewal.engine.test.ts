import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { acmeRevocation } from '../../../../operator/controllers/certificates/ports/acme.js';
import { renewalInfo } from '../../../../operator/controllers/certificates/ports/renewal-info.js';
import { AcmeProcess } from './acme-process.js';
import { LimitingProxy } from './limiting-proxy.js';
import { Pebble, pebbleAbsence } from './pebble-server.js';

const absent = await pebbleAbsence();
const day = 86_400_000;
const names = ['shop.example.com'];

describe.skipIf(absent)('the renewal information of a real ACME server', () => {
  it('is a window that a revocation moves to the past, and one order replaces the certificate', async () => {
    await using pebble = await Pebble.start();
    await using proxy = await LimitingProxy.start(pebble);
    const process = new AcmeProcess(proxy.server);
    const http = await pebble.serve(process.ports.responder.server());
    await using _http = { [Symbol.asyncDispose]: async () => void http.close() };
    const account = await process.register();
    const issued = (start?: object) => process.follow(account, { names }, undefined, start);

    const { step } = await issued();
    const certificate = step.chain ?? '';
    const question = { ...proxy.server, certificate };
    const { renewalInfo: info } = await process.ask(renewalInfo, question);
    if (!info) expect.fail('Pebble has renewal information');
    const { validFrom, validTo } = new X509Certificate(certificate);
    const ideal = Date.parse(validFrom) + ((Date.parse(validTo) - Date.parse(validFrom)) * 2) / 3;
    expect([info.start, info.end].map((time) => Math.round((time - ideal) / day))).toEqual([-1, 1]);

    await process.send(acmeRevocation, { ...account, certificate });
    const { renewalInfo: revoked } = await process.ask(renewalInfo, question);
    expect(revoked?.end).toBeLessThan(Date.now());

    const orders = () => proxy.requests.filter((one) => one === 'POST order-plz').length;
    const before = orders();
    expect((await issued({ replaces: info.id, uid: 'second' })).step.reason).toBe('Issued');
    expect(orders()).toBe(before + 1);
    // The server answers alreadyReplaced, and accepts an order that replaces none.
    expect((await issued({ replaces: info.id, uid: 'third' })).step.reason).toBe('Issued');
    expect(orders()).toBe(before + 3);
  }, 600_000);
});
