import { afterEach, describe, expect, it } from 'vitest';
import { AcmeWorld, givenAcmeIssuer } from './given-acme.js';
import { type CertificateWorld, certificateKind, givenCertificate, issuerKind } from './given-certificates.js';

const [hour, day] = [3_600_000, 86_400_000];
/** Five seconds each. An order takes one minute at most. */
const mostRests = 60;
let world: CertificateWorld;
afterEach(() => world.close());

async function given() {
  const acme = await AcmeWorld.create();
  world = acme.world;
  const begin = world.now;
  /** For the first certificate. The server suggests nothing for the next one. */
  const suggests = (after: number) => {
    let first: string | undefined;
    const start = Math.floor((begin + after) / 1000) * 1000;
    acme.renewal.answer = (certificate) => {
      first ??= certificate;
      return certificate === first ? { renewalInfo: { id: 'an-id', start, end: start + 2 * day } } : {};
    };
  };
  const start = async () => {
    // The key source of the tests has one key.
    const spec = { renewBefore: '30d', privateKey: { rotation: 'Never' as const } };
    await world.starting([issuerKind, givenAcmeIssuer()], [certificateKind, givenCertificate(spec)]);
    await issued(1);
  };
  /** Keys and signatures take real time, in which polls on the clock of the test may time out. */
  const issued = async (revision: number) => {
    for (let rests = 0; (await world.certificate()).status?.revision !== revision; rests++) {
      if (rests === mostRests) throw new Error(`revision ${revision} was not issued`);
      await world.rest(5_000);
    }
    await world.rest(5_000);
  };
  /** Days from the start of the test to the renewal. */
  const renewal = async () => (Date.parse((await world.certificate()).status?.renewalTime ?? '') - begin) / day;
  const creations = () =>
    acme.orders.performed
      .map(({ request }) => request as { readonly act: string; readonly replaces?: string })
      .filter(({ act }) => act === 'create')
      .map(({ replaces }) => replaces);
  return { acme, suggests, start, issued, renewal, creations };
}

describe('a Certificate whose ACME server suggests when to renew', () => {
  it('is renewed then, by an order that replaces it', async () => {
    const { suggests, start, issued, renewal, creations } = await given();
    suggests(10 * day);
    await start();
    expect(await renewal()).toBeGreaterThan(10);
    expect(await renewal()).toBeLessThan(12);
    expect((await world.certificate()).status?.renewalInfo?.id).toBe('an-id');
    await world.after(9 * day);
    expect(creations()).toEqual([undefined]);
    await world.after(3 * day);
    await issued(2);
    expect(creations()).toEqual([undefined, 'an-id']);
    expect((await world.certificate()).status?.renewalInfo).toBeUndefined();
  });

  it('keeps its time through a restart, without a write and while the server is away', async () => {
    const { acme, suggests, start, renewal } = await given();
    suggests(10 * day);
    await start();
    const before = await renewal();
    expect(before).toBeLessThan(12);
    acme.renewal.answer = () => {
      throw new Error('the server is away');
    };
    const { length } = world.operator.writes;
    world = await world.restarted();
    await world.rest(45_000);
    expect(world.operator.writes.slice(length)).toEqual([]);
    expect(await renewal()).toBe(before);
    expect(await world.condition(certificateKind, 'shop', 'UpToDate')).toMatch(/^True UpToDate/);
  });

  it('is renewed by its spec if the server fails, suggests a later time or no longer any', async () => {
    const { acme, suggests, start, issued, renewal, creations } = await given();
    acme.renewal.answer = () => {
      throw new Error('the server is away');
    };
    await start();
    const own = await renewal();
    suggests(80 * day);
    await world.after(day);
    await world.rest(day);
    expect(await renewal()).toBe(own);
    acme.renewal.answer = () => ({});
    await world.after(day);
    expect((await world.certificate()).status?.renewalInfo).toBeUndefined();
    acme.renewal.answer = () => {
      throw new Error('the server is away');
    };
    await world.after(60 * day);
    await issued(2);
    expect(creations()).toEqual([undefined, undefined]);
    expect(await world.condition(certificateKind, 'shop', 'Ready')).toMatch(/^True/);
  });

  it('is not renewed within its first six hours if the server suggests the past', async () => {
    const { suggests, start, issued, creations } = await given();
    suggests(-10 * day);
    await start();
    await world.after(5 * hour);
    expect(creations()).toEqual([undefined]);
    await world.after(hour);
    await issued(2);
    expect(creations()).toEqual([undefined, 'an-id']);
  });

  it('is renewed at once if the server suggests the past later on, such as before a revocation', async () => {
    const { suggests, start, issued, creations } = await given();
    await start();
    await world.after(10 * day);
    suggests(5 * day);
    await world.after(day);
    await issued(2);
    expect(creations()).toEqual([undefined, 'an-id']);
  });
});
