import { X509Certificate } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import {
  CertificateWorld,
  certificateKind,
  clusterIssuerKind,
  givenCertificate,
  givenClusterIssuer,
  givenIssuer,
  issuerKind,
  Secret,
} from './given-certificates.js';

const minute = 60_000;
let world: CertificateWorld;
afterEach(() => world.close());

describe('a Certificate', () => {
  it('is issued into its Secret in one write, with the CA certificate', async () => {
    world = await CertificateWorld.start(
      [issuerKind, givenIssuer({ commonName: 'internal CA' })],
      [certificateKind, givenCertificate()],
    );
    const secret = await world.secret();
    expect(Object.keys(secret ?? {}).toSorted()).toEqual(['ca.crt', 'tls.crt', 'tls.key']);
    const [leaf, ca] = [new X509Certificate(secret?.['tls.crt'] ?? ''), new X509Certificate(secret?.['ca.crt'] ?? '')];
    expect([leaf.subjectAltName, ca.subject, leaf.checkIssued(ca), leaf.verify(ca.publicKey)]).toEqual([
      'DNS:shop.example.com',
      'CN=internal CA',
      true,
      true,
    ]);
    expect(await world.condition(certificateKind, 'shop', 'Ready')).toMatch(/^True/);
    expect(world.operator.writes.filter((write) => write.endsWith('Secret shop/shop-tls'))).toEqual([
      'create Secret shop/shop-tls',
    ]);
  });

  it('line 2: renews at two minutes, to the second', async () => {
    world = await CertificateWorld.start(
      [issuerKind, givenIssuer({ commonName: 'internal CA' })],
      [certificateKind, givenCertificate({ duration: '5m', renewBefore: '3m' })],
    );
    const first = await world.certificate();
    const renewal = Date.parse(first.status?.renewalTime ?? '');
    expect(Date.parse(first.status?.notAfter ?? '') - renewal).toBe(3 * minute);
    await world.after(renewal - world.now - 1000);
    expect((await world.certificate()).status?.serialNumber).toBe(first.status?.serialNumber);
    await world.after(1000);
    const second = await world.certificate();
    expect(second.status).toMatchObject({ revision: 2 });
    expect(second.status?.serialNumber).not.toBe(first.status?.serialNumber);
  });
});

describe('a renewal that is requested', () => {
  const ask = async (value: string) => {
    const annotations = { 'reconstruct.dev/renew': value };
    const manifest = { ...givenCertificate(), metadata: { name: 'shop', namespace: 'shop', annotations } };
    await world.operator.memory.apply(certificateKind, manifest as never, { manager: 'me' });
    await world.rest();
  };
  const revision = async () => (await world.certificate()).status?.revision;

  it('issues one certificate with another key, and the next value one more', async () => {
    world = await CertificateWorld.start(...standard);
    const before = await world.secret();
    await ask('1');
    const after = await world.secret();
    expect(after?.['tls.key']).not.toBe(before?.['tls.key']);
    expect((await world.certificate()).status).toMatchObject({ revision: 2, requested: '1' });
    expect(await world.condition(certificateKind, 'shop', 'Ready')).toMatch(/^True/);
    await ask('1');
    world = await world.restarted();
    expect([await revision(), await world.secret()]).toEqual([2, after]);
    await ask('2');
    expect(await revision()).toBe(3);
  });

  it('is answered by the first certificate if it is older', async () => {
    world = await CertificateWorld.start(standard[0]);
    await ask('1');
    expect((await world.certificate()).status).toMatchObject({ revision: 1, requested: '1' });
  });

  it('is answered once, whatever its length', async () => {
    world = await CertificateWorld.start(...standard);
    await ask('ü'.repeat(2000));
    const { status } = await world.certificate();
    expect([status?.revision, Buffer.byteLength(status?.requested ?? '') <= 1024]).toEqual([2, true]);
    expect(await world.condition(certificateKind, 'shop', 'Ready')).toMatch(/^True/);
  });
});

const standard = [
  [issuerKind, givenIssuer({ commonName: 'internal CA' })],
  [certificateKind, givenCertificate()],
] as const;

describe('line 3: an answer that does not fit', () => {
  it('leaves the Secret as it is, and the condition tells why', async () => {
    world = await CertificateWorld.start(...standard);
    const before = await world.secret();
    world.replies = { 'reconstruct/certificate-signing': () => ({ certificate: before?.['tls.crt'] ?? '' }) };
    await world.operator.given(certificateKind, givenCertificate({ dnsNames: ['other.example.com'] }));
    await world.rest();
    expect(await world.secret()).toEqual(before);
    expect(await world.condition(certificateKind, 'shop', 'UpToDate')).toBe(
      'False AnswerRejected: The issuer answered with a certificate that cannot be used: it is for another public key',
    );
    world.replies = {};
    await world.after(minute);
    expect(await world.condition(certificateKind, 'shop', 'Ready')).toMatch(/^True/);
  });

  it('of an issuer that fails is told in its words', async () => {
    world = await CertificateWorld.start();
    world.replies = {
      'reconstruct/certificate-signing': () => {
        throw new Error('the HSM is on fire');
      },
    };
    for (const [kind, object] of standard) await world.operator.given(kind, object);
    await world.rest();
    expect(await world.condition(certificateKind, 'shop', 'UpToDate')).toBe(
      'False IssuingFailed: The certificate could not be issued: the HSM is on fire',
    );
    expect(await world.secret()).toBeUndefined();
  });
});

describe('line 4: the Secret of a Certificate', () => {
  const edit = async (key: string, text: string | undefined) => {
    const path = `/data/${key}`;
    const operation =
      text === undefined
        ? ({ op: 'remove', path } as const)
        : ({ op: 'add', path, value: Buffer.from(text).toString('base64') } as const);
    await world.operator.memory.patch(Secret, { namespace: 'shop', name: 'shop-tls' }, [operation], { manager: 'me' });
    await world.rest();
  };

  it.each([
    ['ca.crt', 'junk'],
    ['ca.crt', undefined],
    ['tls.crt', 'junk'],
    ['tls.crt', undefined],
  ])('gets %s back after it became %s, without another certificate', async (key, text) => {
    world = await CertificateWorld.start(...standard);
    const before = await world.secret();
    world.questions.length = 0;
    await edit(key, text);
    expect(await world.secret()).toEqual(before);
    expect(world.questions).toEqual([]);
  });

  it('gets another certificate if its key is lost or it is deleted', async () => {
    world = await CertificateWorld.start(...standard);
    const before = await world.secret();
    await edit('tls.key', 'junk');
    const after = await world.secret();
    expect(after?.['tls.key']).not.toBe(before?.['tls.key']);
    expect(await world.condition(certificateKind, 'shop', 'Ready')).toMatch(/^True/);
    await world.remove(Secret, 'shop-tls');
    expect((await world.secret())?.['tls.key']).not.toBe(after?.['tls.key']);
  });

  it('is refused and stays as it is if somebody else owns it, before a key is generated', async () => {
    world = await CertificateWorld.start(standard[0]);
    const theirs = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'shop', name: 'shop-tls' },
      type: 'Opaque',
    };
    await world.operator.given(Secret, { ...theirs, data: { 'tls.key': 'dGhlaXJz' } } as never);
    world.questions.length = 0;
    await world.operator.given(...standard[1]);
    await world.rest();
    expect(await world.secret()).toEqual({ 'tls.key': 'theirs' });
    expect(world.questions).toEqual([]);
    expect(await world.condition(certificateKind, 'shop', 'UpToDate')).toMatch(
      /^False SecretNotOwned: Secret shop-tls was not created by this Certificate: delete it, or annotate it/,
    );
  });

  it('of another Certificate is refused, and named', async () => {
    world = await CertificateWorld.start(...standard);
    await world.operator.given(certificateKind, givenCertificate({ secretName: 'shop-tls' }, 'late'));
    await world.rest();
    expect(await world.condition(certificateKind, 'late', 'UpToDate')).toBe(
      'False SecretNotOwned: Secret shop-tls is controlled by Certificate shop',
    );
    expect(await world.condition(certificateKind, 'shop', 'Ready')).toMatch(/^True/);
  });
});

describe('a change of the spec', () => {
  it.each<{ what: string; spec: Parameters<typeof givenCertificate>[0]; isNewKey: boolean }>([
    { what: 'a name', spec: { dnsNames: ['a.example.com'] }, isNewKey: true },
    {
      what: 'a name, with a key that stays',
      spec: { dnsNames: ['a'], privateKey: { rotation: 'Never' } },
      isNewKey: false,
    },
    { what: 'the algorithm', spec: { privateKey: { algorithm: 'Ed25519', rotation: 'Never' } }, isNewKey: true },
  ])('of $what issues once, with a new key: $isNewKey', async ({ spec, isNewKey }) => {
    world = await CertificateWorld.start(...standard);
    const before = await world.secret();
    world.questions.length = 0;
    await world.operator.given(certificateKind, givenCertificate(spec));
    await world.rest();
    const after = await world.secret();
    expect([after?.['tls.crt'] !== before?.['tls.crt'], after?.['tls.key'] !== before?.['tls.key']]).toEqual([
      true,
      isNewKey,
    ]);
    expect(world.questions.filter(({ port }) => port === 'reconstruct/certificate-signing')).toHaveLength(1);
    expect((await world.certificate()).status).toMatchObject({ revision: 2 });
  });
});

describe('another name of the Secret', () => {
  it('keeps the former Secret until the new one has a certificate', async () => {
    world = await CertificateWorld.start(...standard);
    const before = await world.secret();
    let isDown = true;
    world.replies = {
      'reconstruct/certificate-signing': (answer) => {
        if (isDown) throw new Error('down');
        return answer;
      },
    };
    await world.operator.given(certificateKind, givenCertificate({ secretName: 'new-tls' }));
    await world.rest();
    expect([await world.secret(), await world.secret('new-tls')]).toEqual([before, undefined]);
    isDown = false;
    await world.after(minute);
    expect([await world.secret(), Object.keys((await world.secret('new-tls')) ?? {}).length]).toEqual([undefined, 3]);
  });
});

describe('line 10: a Certificate', () => {
  it('costs no request at rest, also in another process', async () => {
    world = await CertificateWorld.start(...standard);
    world = await world.restarted();
    world.operator.memory.forgetWrites();
    await world.after(60 * minute);
    expect([world.operator.writes, world.questions]).toEqual([[], []]);
  });

  it('goes on with the stored key in another process', async () => {
    world = await CertificateWorld.start();
    let isDown = true;
    const down = () => {
      throw new Error('down');
    };
    world.replies = { 'reconstruct/certificate-signing': (answer) => (isDown ? down() : answer) };
    for (const [kind, object] of standard) await world.operator.given(kind, object);
    await world.rest();
    const keys = async () => {
      const { items } = await world.operator.memory.list(Secret, {});
      return items
        .filter(({ metadata }) => metadata.name.startsWith('shop-next-'))
        .map(({ metadata }) => metadata.name);
    };
    const [name = ''] = await keys();
    const stored = (await world.secret(name))?.['tls.key'];
    expect(stored).toBeDefined();
    isDown = false;
    world = await world.restarted();
    expect([(await world.secret())?.['tls.key'], await keys()]).toEqual([stored, []]);
  });
});

describe('line 11: a private key', () => {
  it('is in no status, event or question', async () => {
    world = await CertificateWorld.start(...standard);
    const resources = [await world.certificate(), await world.issuer(), world.questions];
    expect(JSON.stringify(resources)).not.toContain('PRIVATE KEY');
  });
});

describe('line 2: after a long downtime', () => {
  it('what is due is renewed, the one that expires first at first', async () => {
    const days = [40, 20, 50];
    const some = days.map((each) => [certificateKind, givenCertificate({ duration: `${each}d` }, `c${each}`)] as const);
    world = await CertificateWorld.start([issuerKind, givenIssuer({ commonName: 'internal CA' })], ...some);
    await world.operator.stop();
    world.operator.clock.freeze(60 * 24 * 60 * minute);
    world = await world.restarted();
    const signed = world.questions.filter(({ port }) => port === 'reconstruct/certificate-signing');
    expect(signed).toHaveLength(days.length);
    expect(await world.condition(certificateKind, 'c50', 'Ready')).toMatch(/^True/);
  });
});

describe('the issuer of a Certificate', () => {
  const ofCompany = givenCertificate({ issuer: { name: 'company', kind: 'ClusterIssuer' } });
  const company = (team: string) =>
    givenClusterIssuer({ ca: { commonName: 'company CA' }, namespaces: { matchLabels: { team } } });

  it('can be a ClusterIssuer with its key in the namespace of the operator', async () => {
    world = await CertificateWorld.start([clusterIssuerKind, company('shop')], [certificateKind, ofCompany]);
    const [ca, leaf] = [await world.secret('company-ca', 'reconstruct-system'), await world.secret()];
    expect(leaf?.['ca.crt']).toBe(ca?.['tls.crt']);
    expect(await world.condition(certificateKind, 'shop', 'Ready')).toMatch(/^True/);
  });

  it('can be a ClusterIssuer only in the namespaces that it selects', async () => {
    world = await CertificateWorld.start([clusterIssuerKind, company('other')], [certificateKind, ofCompany]);
    expect(await world.condition(certificateKind, 'shop', 'UpToDate')).toMatch(
      /^False NamespaceNotAllowed: ClusterIssuer company does not allow this namespace; change spec.namespaces/,
    );
    expect(await world.secret()).toBeUndefined();
    await world.operator.given(clusterIssuerKind, company('shop'));
    await world.rest();
    expect(await world.condition(certificateKind, 'shop', 'Ready')).toMatch(/^True/);
  });

  it('that does not exist is named, and waited for', async () => {
    world = await CertificateWorld.start([certificateKind, givenCertificate()]);
    expect(await world.condition(certificateKind, 'shop', 'UpToDate')).toBe(
      'False IssuerNotFound: Issuer internal does not exist in this namespace; create it, or correct spec.issuer',
    );
    await world.operator.given(...standard[0]);
    await world.rest();
    expect(await world.condition(certificateKind, 'shop', 'Ready')).toMatch(/^True/);
  });

  it('can change, and ca.crt changes in the same write as the certificate', async () => {
    world = await CertificateWorld.start(...standard, [
      issuerKind,
      givenIssuer({ commonName: 'other CA' }, {}, 'other'),
    ]);
    world.replies = {
      'reconstruct/certificate-signing': () => {
        throw new Error('down');
      },
    };
    const before = await world.secret();
    await world.operator.given(certificateKind, givenCertificate({ issuer: { name: 'other' } }));
    await world.rest();
    expect(await world.secret()).toEqual(before);
    world.replies = {};
    await world.after(minute);
    const after = await world.secret();
    expect(after?.['ca.crt']).toBe((await world.secret('other-ca'))?.['tls.crt']);
  });
});
