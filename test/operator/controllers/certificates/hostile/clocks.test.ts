import { afterEach, describe, expect, it } from 'vitest';
import { parsed, validityOf } from '../../../../../operator/certificates/reading.js';
import { retryTime } from '../../../../../operator/controllers/certificates/acme/retries.js';
import { renewalTimeOf } from '../../../../../operator/controllers/certificates/renewal/renewal-time.js';
import type { Manifest, ObjectKind } from '../../../../../operator/runtime/index.js';
import {
  CertificateWorld,
  ConfigMap,
  certificateKind,
  givenCertificate,
  givenIssuer,
  issuerKind,
} from '../given-certificates.js';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
let world: CertificateWorld;
afterEach(() => world?.close());

/** What is made at a time that is far ahead, before the clock is corrected and the operator starts again. */
async function correctedBy(ms: number, ...objects: readonly (readonly [ObjectKind, Manifest])[]): Promise<void> {
  const ahead = new CertificateWorld();
  ahead.operator.clock.freeze(ms);
  await ahead.starting(...objects);
  ahead.operator.clock.freeze(-ms);
  world = await ahead.restarted();
  await world.rest(2 * minute);
}

const from = async (key: string, name?: string) =>
  validityOf(parsed((await world.secret(name))?.[key] ?? '') ?? expect.fail()).from;
const issuer = givenIssuer({ commonName: 'internal CA' }, { crl: { configMap: 'crl' } });

describe('a clock that was a year ahead', () => {
  it('leaves no certificate, CA and list behind that are not valid yet', async () => {
    await correctedBy(365 * day, [issuerKind, issuer], [certificateKind, givenCertificate()]);
    expect(await from('tls.crt', 'internal-ca')).toBeLessThanOrEqual(world.now);
    expect(await from('tls.crt')).toBeLessThanOrEqual(world.now);
    expect(await world.condition(certificateKind, 'shop', 'Ready')).toMatch(/^True/);
    expect(await world.condition(issuerKind, 'internal', 'Available')).toMatch(/^True/);
    const { status } = await world.issuer();
    expect(Date.parse(status?.crl?.thisUpdate ?? '')).toBeLessThanOrEqual(world.now);
    expect(await world.operator.memory.read(ConfigMap, { namespace: 'shop', name: 'crl' })).toBeDefined();
  });

  it('does not delay what counts the time since', async () => {
    const consumers = [{ deployment: 'shop', reload: 'None' as const }];
    const ahead = new CertificateWorld();
    ahead.operator.clock.freeze(365 * day);
    await ahead.deployment('shop');
    await ahead.starting([issuerKind, issuer], [certificateKind, givenCertificate({ consumers })]);
    ahead.operator.clock.freeze(-365 * day);
    world = await ahead.restarted();
    await world.rest(5 * minute);
    expect(await world.condition(certificateKind, 'shop', 'Adopted')).toMatch(/^True Delivered/);
  });

  it('does not delay the order after a failed one', () => {
    const now = 1000 * day;
    expect(retryTime({ count: 9, last: now + 365 * day }, now)).toBe(now);
    expect(retryTime({ count: 1, last: now + minute }, now)).toBe(now + 2 * minute);
  });
});

describe('a clock that another machine has some minutes ahead', () => {
  it('causes nothing', async () => {
    await correctedBy(30 * minute, [issuerKind, issuer], [certificateKind, givenCertificate()]);
    expect((await world.certificate()).status?.revision).toBe(1);
    expect(await from('tls.crt')).toBeGreaterThan(world.now);
  });
});

describe('a renewal', () => {
  const now = 1000 * day;
  const spec = (more: object) => givenCertificate(more).spec as never;
  const own = { from: now - minute / 2, to: now + 5 * minute };
  const ordered = { from: now - hour, to: now + 6 * day };
  it.each<{ after: number; when: string; validity: typeof own; spec: object; isOrdered: boolean }>([
    {
      after: minute / 2,
      when: 'renewAt is before its issue',
      validity: own,
      spec: { duration: '5m', renewAt: '1%' },
      isOrdered: false,
    },
    {
      after: 2 * minute,
      when: 'renewBefore leaves time',
      validity: own,
      spec: { duration: '5m', renewBefore: '3m' },
      isOrdered: false,
    },
    {
      after: 5 * hour,
      when: 'an ACME server dated it back',
      validity: ordered,
      spec: { duration: '7d', renewBefore: `${6 * 24}h30m` },
      isOrdered: true,
    },
  ])('is $after ms after the issue when $when', ({ after, ...given }) => {
    const time = renewalTimeOf(given.validity, { spec: spec(given.spec), uid: 'u', isOrdered: given.isOrdered });
    expect(time - now).toBe(after);
  });
});
