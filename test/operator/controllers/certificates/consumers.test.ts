import { afterEach, describe, expect, it } from 'vitest';
import { fingerprintOf, parsed } from '../../../../operator/certificates/reading.js';
import {
  CertificateWorld,
  certificateKind,
  givenCertificate,
  givenIssuer,
  issuerKind,
  Secret,
} from './given-certificates.js';

const [second, minute] = [1000, 60_000];
const annotation = 'secret-hash.reconstruct.dev/shop-tls';
let world: CertificateWorld;
afterEach(() => world.close());

type Spec = NonNullable<Parameters<typeof givenCertificate>[0]>;

const start = (consumers: NonNullable<Spec['consumers']>, spec: Spec = {}) =>
  CertificateWorld.start(
    [issuerKind, givenIssuer({ commonName: 'internal CA' })],
    [certificateKind, givenCertificate({ ...spec, consumers })],
  );
const adopted = () => world.condition(certificateKind, 'shop', 'Adopted');
const status = async () => (await world.certificate()).status;
const asked = (...ports: readonly string[]) => world.questions.filter(({ port }) => ports.includes(port)).length;
const serving = async () => ({
  fingerprint: fingerprintOf(parsed((await world.secret())?.['tls.crt'] ?? '') ?? expect.fail()),
});
const other = { fingerprint: '0'.repeat(64) };

describe('line 8: the consumers of a Certificate', () => {
  it('are rolled once for a certificate, and cost nothing for an hour when each was seen with it', async () => {
    world = await start([{ deployment: 'shop' }, { deployment: 'cart' }]);
    expect(await adopted()).toBe(
      'False ConsumerMissing: Deployment shop, Deployment cart do not exist; create them, or remove them from spec.consumers',
    );
    expect(await world.condition(certificateKind, 'shop', 'Ready')).toMatch(/^True/);
    await world.deployment('shop');
    await world.deployment('cart', 2);
    await world.after(40 * second);
    expect([await adopted(), (await status())?.consumers]).toEqual([
      'Unknown RollingOut: Waiting for Deployment cart to run with the new certificate',
      '1/2',
    ]);
    await world.deployment('cart');
    await world.after(6 * second);
    expect([await adopted(), (await status())?.consumers]).toEqual([
      'True Current: Each consumer uses the certificate',
      '2/2',
    ]);
    expect(Object.keys(await world.annotations('shop'))).toContain(annotation);
    expect(world.operator.writes.filter((write) => write.startsWith('patch Deployment'))).toHaveLength(2);

    world.questions.length = 0;
    const { length } = world.operator.memory.writes;
    await world.after(50 * minute);
    expect([world.questions, world.operator.memory.writes.slice(length)]).toEqual([[], []]);
  });

  it('are rolled again for a renewal, and one that is added is rolled alone', async () => {
    world = await start([{ deployment: 'shop' }], { duration: '5m', renewBefore: '3m' });
    await world.deployment('shop');
    await world.after(40 * second);
    const first = (await world.annotations('shop'))[annotation];
    await world.after(2 * minute);
    await world.rest(15 * second);
    const renewed = (await world.annotations('shop'))[annotation];
    expect([await adopted(), renewed === first]).toEqual(['True Current: Each consumer uses the certificate', false]);

    await world.deployment('cart');
    const both = [{ deployment: 'shop' }, { deployment: 'cart' }];
    const before = world.operator.memory.writes.length;
    await world.operator.given(
      certificateKind,
      givenCertificate({ duration: '5m', renewBefore: '3m', consumers: both }),
    );
    await world.after(10 * second);
    const patched = world.operator.memory.writes.slice(before).filter(({ verb }) => verb === 'patch');
    expect(patched.filter(({ kind }) => kind === 'Deployment').map(({ key }) => key)).toEqual(['shop/cart']);
    expect((await status())?.consumers).toBe('2/2');
  });

  it('with a port are seen by a handshake with every endpoint', async () => {
    world = await start([
      { deployment: 'shop', reload: 'None' },
      { service: 'shop', port: 443 },
    ]);
    await world.deployment('shop');
    world.served = { 'shop:443': { '10.0.0.1:8443': await serving(), '10.0.0.2:8443': other } };
    await world.after(2 * minute + 10 * second);
    expect([await adopted(), (await status())?.consumers]).toEqual([
      'Unknown RollingOut: Waiting for Service shop:443 to run with the new certificate: 10.0.0.2:8443 of Service shop serves another certificate on port 443',
      '1/2',
    ]);
    await world.after(9 * minute);
    expect(await adopted()).toBe(
      'False ConsumerFailed: 10.0.0.2:8443 of Service shop serves another certificate on port 443; reload or restart the server',
    );
    world.served = { 'shop:443': { '10.0.0.1:8443': await serving(), '10.0.0.2:8443': await serving() } };
    await world.after(31 * second);
    expect([await adopted(), (await status())?.consumers]).toEqual([
      'True Current: Each consumer uses the certificate',
      '2/2',
    ]);
    expect(Object.keys(await world.annotations('shop'))).not.toContain(annotation);
    world.questions.length = 0;
    await world.after(50 * minute);
    expect(asked('reconstruct/handshakes', 'reconstruct/workloads')).toBe(0);
  });

  it.each(['Signal', 'None'] as const)(
    'with reload %s have the files when the kubelet had its time',
    async (reload) => {
      world = await start([{ deployment: 'shop', reload }]);
      await world.deployment('shop');
      await world.after(100 * second);
      expect(await adopted()).toBe(
        'Unknown RollingOut: Waiting for Deployment shop to run with the new certificate: the kubelet replaces the files of Deployment shop',
      );
      await world.after(30 * second);
      expect(await adopted()).toBe(
        'True Delivered: The kubelet has had the time to replace the files of Deployment shop; add its Service to spec.consumers to check what it serves',
      );
      expect(Object.keys(await world.annotations('shop'))).not.toContain(annotation);
    },
  );

  it('line 10: are rolled once although the operator stops in between', async () => {
    world = await start([{ deployment: 'shop' }]);
    await world.deployment('shop', 2);
    await world.after(40 * second);
    const rolled = await world.annotations('shop');
    world = await world.restarted();
    await world.after(40 * second);
    expect(await adopted()).toMatch(/^Unknown RollingOut/);
    await world.deployment('shop');
    await world.after(10 * second);
    expect(await adopted()).toMatch(/^True Current/);
    expect(await world.annotations('shop')).toEqual(rolled);
    expect(world.operator.writes.filter((write) => write.startsWith('patch Deployment'))).toHaveLength(1);
  });

  it('are not rolled for a Secret that was edited and comes back', async () => {
    world = await start([{ deployment: 'shop' }]);
    await world.deployment('shop');
    await world.after(40 * second);
    const rolled = await world.annotations('shop');
    const path = '/data/ca.crt';
    await world.operator.memory.patch(Secret, { namespace: 'shop', name: 'shop-tls' }, [{ op: 'remove', path }], {
      manager: 'me',
    });
    await world.after(10 * second);
    expect([await world.annotations('shop'), await adopted()]).toEqual([
      rolled,
      'True Current: Each consumer uses the certificate',
    ]);
  });
});
