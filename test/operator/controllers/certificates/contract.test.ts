import { describe, it } from 'vitest';
import { certificateSpec, issuerSpec, withDefaults } from '../../../../crds/index.js';
import { newPrivateKey } from '../../../../operator/certificates/keys.js';
import { fingerprintOf, parsed, publicKeyOf } from '../../../../operator/certificates/reading.js';
import { selfSigned, signedBy } from '../../../../operator/certificates/signing.js';
import { validFor } from '../../../../operator/certificates/times.js';
import { handshakes, type ServedPort } from '../../../../operator/consumers/handshakes.js';
import { certificate } from '../../../../operator/controllers/certificates/certificate/index.js';
import { issuer } from '../../../../operator/controllers/certificates/issuer/index.js';
import { authority } from '../../../../operator/controllers/certificates/ports/authority.js';
import { privateKey } from '../../../../operator/controllers/certificates/ports/private-key.js';
import { type SigningQuestion, signing } from '../../../../operator/controllers/certificates/ports/signing.js';
import { requestIn } from '../../../../operator/controllers/certificates/request/certificate-request.js';
import { type ContractCheck, controllerContract, fakeSource, simulation } from '../../../../operator/testing/index.js';
import { seeds } from '../../../simulation/seeds.js';
import { givenWorkloads } from '../../consumers/given-workloads.js';
import { orderModel } from '../../engines/acme/acme-models.js';
import { accountModelOf } from './given-acme.js';
import { givenCertificate, givenIssuer } from './given-certificates.js';

// The contract needs the same answer to the same question, so keys and certificates are made before it starts.
const now = Date.now();
const newKey = () => newPrivateKey({ algorithm: 'ECDSA', size: 256 });
const newAuthority = async (commonName: string) => {
  const key = await newKey();
  const content = { commonName, usages: ['digital signature'], isCA: true, validity: validFor(10 ** 11, now) } as const;
  return { certificate: await selfSigned(content, key), key };
};
const [ca, own, key] = [await newAuthority('internal CA'), await newAuthority('own CA'), await newKey()];
const publicKey = publicKeyOf(key) ?? '';
/** A CA needs no calls. The contract of ACME issuers has this check. */
const needsCalls = ({ name }: ContractCheck) => name.startsWith('sends no further call');
const encoded = (texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text).toString('base64')]));

describe('the controller of Issuers', () => {
  const { spec: _, ...resource } = givenIssuer({ commonName: 'internal CA' });
  const spec = withDefaults(issuerSpec, { ca: { commonName: 'internal CA' } });
  const edited = withDefaults(issuerSpec, { ca: { secretName: 'own' } });
  const secret = {
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'own', namespace: 'shop' } },
    data: encoded({ 'tls.crt': own.certificate, 'tls.key': own.key }),
  };
  const answers = [fakeSource(authority, () => ca)];
  const ports = [accountModelOf({})];
  const given = { resource: { ...resource, spec }, edited, reads: [secret], answers, ports };
  for (const check of controllerContract(issuer, given)) if (!needsCalls(check)) it(check.name, check.holds);
  for (const { name, holds } of simulation(issuer, given, { seeds: seeds(3, 5) })) it(name, holds, 120_000);
});

describe('the controller of Certificates', () => {
  const consumers = [{ deployment: 'shop' }, { daemonSet: 'agent' }, { service: 'shop', port: 443 }];
  const never = { rotation: 'Never' as const };
  const keystores = { pkcs12: { passwordSecretRef: { name: 'store-password' } } };
  const stores = { keystores, additionalOutputFormats: [{ type: 'CombinedPEM' }, { type: 'DER' }] as const };
  const least = { secretName: 'shop-tls', issuer: { name: 'internal' }, privateKey: never, ...stores, consumers };
  const spec = withDefaults(certificateSpec, { ...least, dnsNames: ['shop.example.com'] });
  const edited = withDefaults(certificateSpec, { ...least, dnsNames: ['other.example.com'] });
  const { metadata, ...rest } = givenCertificate();
  const fingerprint = fingerprintOf(parsed(ca.certificate) ?? expectCertificate());
  const reads = [
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'internal-ca', namespace: 'shop' } },
    {
      ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'store-password', namespace: 'shop' } },
      data: encoded({ password: 'changeit' }),
    },
    {
      ...givenIssuer({ commonName: 'internal CA' }),
      metadata: { name: 'internal', namespace: 'shop', generation: 1 },
      status: {
        observedGeneration: 1,
        ...{ secretRef: { name: 'internal-ca', namespace: 'shop' }, fingerprint, caBundle: ca.certificate },
        conditions: [{ type: 'Available', status: 'True', reason: 'Available', message: '' }],
      },
    },
  ];
  const signed = new Map<string, string>();
  const names = (question: Pick<SigningQuestion, 'names'>) => JSON.stringify(question.names);
  const sign = async (of: typeof spec) => {
    const request = requestIn(of as never);
    const { commonName, ...others } = request.names;
    const content = {
      commonName,
      names: others,
      usages: request.usages,
      isCA: false,
      validity: validFor(request.duration, now),
    };
    signed.set(names(request), await signedBy(ca, content, publicKey));
  };
  const answers = [
    fakeSource(privateKey, () => ({ key })),
    fakeSource(signing, (question) => ({ certificate: signed.get(names(question)) ?? '' })),
  ];
  const served = fakeSource(handshakes, ({ ports, serverName = '' }) => {
    const certificate = [...signed.values()]
      .flatMap((pem) => parsed(pem) ?? [])
      .find((one) => one.checkHost(serverName));
    const endpoints: ServedPort['endpoints'] = certificate
      ? { '10.0.0.1:443': { fingerprint: fingerprintOf(certificate) } }
      : {};
    return { ports: ports.map((port) => ({ ...port, exists: true, endpoints })) };
  });
  const resource = { ...rest, metadata, spec };
  const other = { ...resource, metadata: { ...metadata, name: 'cart' }, spec: { ...spec, secretName: 'cart-tls' } };
  const given = {
    resource,
    edited,
    reads,
    answers: [...answers, served],
    ports: [givenWorkloads(), orderModel()],
    others: [other],
  };
  const prepared = Promise.all([sign(spec), sign(edited)]);
  for (const { name, holds } of controllerContract(certificate, given)) it(name, async () => prepared.then(holds));
  for (const { name, holds } of simulation(certificate, given, { seeds: seeds(4, 8) }))
    it(name, async () => prepared.then(holds), 120_000);
});

function expectCertificate(): never {
  throw new Error('the CA has no certificate');
}
