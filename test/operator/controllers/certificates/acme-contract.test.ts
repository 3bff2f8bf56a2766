import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'vitest';
import { certificateSpec, issuerSpec, withDefaults } from '../../../../crds/index.js';
import { publicKeyOf } from '../../../../operator/certificates/reading.js';
import { signingRequestOf } from '../../../../operator/certificates/signing-requests.js';
import { certificate } from '../../../../operator/controllers/certificates/certificate/index.js';
import { issuer } from '../../../../operator/controllers/certificates/issuer/index.js';
import { privateKey } from '../../../../operator/controllers/certificates/ports/private-key.js';
import { signingRequest } from '../../../../operator/controllers/certificates/ports/signing-request.js';
import { controllerContract, fakeSource, simulation } from '../../../../operator/testing/index.js';
import { seeds } from '../../../simulation/seeds.js';
import { givenWorkloads } from '../../consumers/given-workloads.js';
import { orderModel } from '../../engines/acme/acme-models.js';
import { accountModelOf, givenAcmeIssuer, givenChains, http } from './given-acme.js';
import { givenCertificate } from './given-certificates.js';

const names = ['shop.example.com'];
const { key, chains } = await givenChains(names, Date.now());

/** The key of each account, which is the same each time that it is asked for. */
const accountKeys = new Map<string, string>();
function accountKeyFor(account: string): string {
  const known = accountKeys.get(account);
  if (known !== undefined) return known;
  const { privateKey: made } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = made.export({ type: 'pkcs8', format: 'pem' }).toString();
  accountKeys.set(account, pem);
  return pem;
}

const csr = await signingRequestOf({ dnsNames: names, ipAddresses: [], uris: [], emailAddresses: [] }, key);
const directory = 'https://acme.example.com/dir';

/** An Issuer whose account is ready. */
function ready(name: string, of: Parameters<typeof givenAcmeIssuer>[0] = {}) {
  const { metadata, ...rest } = givenAcmeIssuer(of, name);
  return {
    ...rest,
    metadata: { ...metadata, generation: 1 },
    status: {
      observedGeneration: 1,
      account: { server: directory, url: `${directory}/account` },
      secretRef: { name: `${name}-account`, namespace: 'shop' },
      conditions: [{ type: 'Available', status: 'True', reason: 'AccountReady', message: '' }],
    },
  };
}

const accountSecret = (name: string) => ({
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: `${name}-account`, namespace: 'shop' } },
  data: { 'tls.key': Buffer.from(key).toString('base64') },
});

/** The contract compares the orders of clusters in which a Certificate has different UIDs. */
function withoutUid(model: ReturnType<typeof orderModel>): ReturnType<typeof orderModel> {
  const named = <T>(of: T): T => {
    const { id } = of as { readonly id?: string };
    return id === undefined ? of : { ...of, id: id.replace(/^[^/]*/, 'uid') };
  };
  return {
    ...model,
    answer: (state, question) => model.answer(state, named(question)),
    perform: (state, request) => model.perform(state, named(request)),
  };
}

/** An earlier order stays at the server. A lost one is created again after the contract has ended its wait. */
const comparesOrders = (name: string) => /^reaches the same state (by an edit|outside of the cluster)/.test(name);

/** An ACME server keeps an account after its Issuer, as it keeps those of other clients. */
const comparesAccounts = (name: string) => name.startsWith('leaves nothing outside of the cluster');

describe('the controller of Issuers, with an ACME server', () => {
  const { spec, metadata, ...rest } = givenAcmeIssuer();
  const edited = withDefaults(issuerSpec, { acme: { server: directory, solvers: [http], email: 'a@example.com' } });
  const given = { resource: { ...rest, metadata, spec }, edited, ports: [accountModelOf({})] };
  // The contract compares the keys of clusters in which an Issuer has different UIDs.
  const one = { ...given, answers: [fakeSource(privateKey, () => ({ key }))] };
  const each = {
    ...given,
    answers: [fakeSource(privateKey, ({ replaces }) => ({ key: accountKeyFor(replaces) }))],
  };
  for (const { name, holds } of controllerContract(issuer, one)) if (!comparesAccounts(name)) it(name, holds);
  for (const { name, holds } of simulation(issuer, each, { seeds: seeds(4, 8) })) it(name, holds, 120_000);
});

describe('the controller of Certificates, with an ACME server', () => {
  const { metadata, ...rest } = givenCertificate();
  const least = { secretName: 'shop-tls', issuer: { name: 'internal' }, privateKey: { rotation: 'Never' as const } };
  const spec = withDefaults(certificateSpec, { ...least, dnsNames: names });
  const edited = withDefaults(certificateSpec, { ...least, dnsNames: ['other.example.com'] });
  const reads = [accountSecret('internal'), ready('internal')];
  const answers = [
    fakeSource(privateKey, () => ({ key })),
    fakeSource(signingRequest, ({ publicKey }) => ({ csr: publicKey === publicKeyOf(key) ? csr : '' })),
  ];
  const resource = { ...rest, metadata, spec };
  const other = { ...resource, metadata: { ...metadata, name: 'cart' }, spec: { ...spec, secretName: 'cart-tls' } };
  const ports = [givenWorkloads(), withoutUid(orderModel({ issue: () => chains[0] ?? '' }))];
  const given = { resource, edited, reads, answers, ports, others: [other] };
  for (const { name, holds } of controllerContract(certificate, given)) if (!comparesOrders(name)) it(name, holds);
  for (const { name, holds } of simulation(certificate, given, { seeds: seeds(4, 8) })) it(name, holds, 120_000);
});
