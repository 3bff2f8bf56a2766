import { afterEach, describe, expect, it } from 'vitest';
import { CallError } from '../../../../operator/runtime/index.js';
import { type AcmeSolvers, AcmeWorld, dns, givenAcmeIssuer, tsigSecret, webhook } from './given-acme.js';
import { type CertificateWorld, certificateKind, givenCertificate, issuerKind, Secret } from './given-certificates.js';

const minute = 60_000;
const names = ['*.example.com', 'example.com'];
const [{ url }, name] = [webhook.dns01.webhook, '_acme-challenge.example.com'];
let world: CertificateWorld;
afterEach(() => world.close());

async function given(solvers: AcmeSolvers = [webhook]) {
  const acme = await AcmeWorld.create({ names });
  world = acme.world;
  const start = async () => {
    await world.starting(
      [Secret, tsigSecret],
      [issuerKind, givenAcmeIssuer({ solvers })],
      [certificateKind, givenCertificate({ dnsNames: names })],
    );
    await world.rest(45_000);
  };
  const upToDate = () => world.condition(certificateKind, 'shop', 'UpToDate');
  const acts = () => acme.webhooks.performed.map(({ request }) => (request as { readonly act: string }).act);
  return { acme, start, upToDate, acts };
}

describe('a Certificate whose solver has a webhook', () => {
  it('presents each value once, and cleans it up after the order', async () => {
    const { acme, start } = await given();
    await start();
    expect(acme.acts).toEqual(['create', 'respond', 'respond', 'finalize']);
    expect(acme.webhooks.performed.map(({ request }) => request)).toEqual(
      ['present', 'present', 'cleanup', 'cleanup'].map((act, index) => ({
        ...{ act, url, name, value: `record-1-${(index % 2) + 1}` },
      })),
    );
    expect((await world.certificate()).status?.records).toBeUndefined();
    expect(await world.condition(certificateKind, 'shop', 'Ready')).toMatch(/^True/);
  });

  it.each([
    ['webhook', webhook],
    ['DNS server', dns],
  ] as const)('has the text of a %s that refuses, and goes on when it accepts the value', async (of, solver) => {
    const { acme, start, upToDate } = await given([solver]);
    const port = of === 'webhook' ? acme.webhooks : acme.records;
    const options = { mayHaveEffect: false, retryAfter: minute };
    port.fate = () => ({ error: new CallError('retryable', 'no such zone', options) });
    await start();
    expect(await upToDate()).toMatch(/the TXT record of _acme-challenge\.example\.com cannot be added: no such zone$/);
    expect(acme.acts).toEqual(['create']);
    port.fate = () => ({});
    await world.rest(2 * minute);
    expect(acme.acts).toEqual(['create', 'respond', 'respond', 'finalize']);
  });

  it('line 10: sends a request again after a restart that lost its answer, not those that are recorded', async () => {
    const { acme, start, acts } = await given();
    acme.webhooks.fate = (request) =>
      (request as { readonly value: string }).value === 'record-1-2' ? { isUnanswered: true, isHidden: true } : {};
    await start();
    expect(new Set(acts())).toEqual(new Set(['present']));
    const before = acts().length;
    acme.webhooks.meddle({}); // the memory of the next process
    acme.webhooks.fate = () => ({});
    world = await world.restarted();
    await world.rest(45_000);
    expect(acts().slice(before)).toEqual(['present', 'cleanup', 'cleanup']);
    expect(acme.acts).toEqual(['create', 'respond', 'respond', 'finalize']);
  });

  it('is not deleted before the webhook has cleaned up', async () => {
    const { acme, start, acts } = await given();
    acme.visible.answer = { isVisible: false, why: 'not yet' };
    await start();
    acme.webhooks.fate = () => ({ isLost: true });
    await world.remove(certificateKind, 'shop');
    await world.rest(45_000);
    expect(await world.certificate()).toBeDefined();
    acme.webhooks.fate = () => ({});
    await world.rest(6 * minute);
    expect(acts()).toEqual(['present', 'present', 'cleanup', 'cleanup']);
    expect(await world.certificate()).toBeUndefined();
  });
});
