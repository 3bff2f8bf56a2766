import { afterEach, describe, expect, it } from 'vitest';
import { accountReport } from '../../../../operator/controllers/certificates/issuer/account/account-report.js';
import { availableOf } from '../../../../operator/controllers/certificates/issuer/findings/available.js';
import { CallError } from '../../../../operator/runtime/index.js';
import { type AcmeIssuerInput, AcmeWorld, type AcmeWorldProps, givenAcmeIssuer } from './given-acme.js';
import {
  type CertificateWorld,
  certificateKind,
  clusterIssuerKind,
  givenCertificate,
  givenClusterIssuer,
  issuerKind,
  Secret,
} from './given-certificates.js';

let world: CertificateWorld;
afterEach(() => world.close());

async function given(issuer: AcmeIssuerInput = {}, props: AcmeWorldProps = {}) {
  const acme = await AcmeWorld.create(props);
  world = acme.world;
  await world.starting([issuerKind, givenAcmeIssuer(issuer)]);
  await world.rest(45_000);
  return { acme, available: () => world.condition(issuerKind, 'internal', 'Available') };
}

const account = { url: 'https://acme.example.com/a', contact: [] };
const external = { keyId: 'kid-1', secretRef: { name: 'eab' } };
const secret = {
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'eab', namespace: 'shop' } },
  data: { secret: Buffer.from('hmac').toString('base64') },
};

describe('an ACME issuer', () => {
  it('stores the key of its account before it creates the account, once', async () => {
    const { acme, available } = await given({ email: 'admin@example.com' });
    expect(acme.account.performed).toHaveLength(1);
    expect(await available()).toMatch(/^True AccountReady/);
    expect(Object.keys((await world.secret('internal-account')) ?? {})).toEqual(['tls.key']);
    expect((await world.issuer()).status).toMatchObject({
      account: {
        server: 'https://acme.example.com/dir',
        url: 'https://acme.example.com/dir/account',
        email: 'admin@example.com',
      },
      secretRef: { name: 'internal-account', namespace: 'shop' },
    });
    const { length } = world.operator.writes;
    await world.rest(600_000);
    expect(world.operator.writes.slice(length)).toEqual([]);
  });

  it('sends a changed contact once, also to a server that shows none', async () => {
    const { acme } = await given({ email: 'a@example.com' }, { account: { account: { ...account, status: 'valid' } } });
    await world.rest(60_000);
    expect(acme.account.performed.map(({ request }) => request)).toMatchObject([{ email: 'a@example.com' }]);
    expect((await world.issuer()).status?.account?.email).toBe('a@example.com');
  });

  it('reports an account that its server lost as soon as an order contradicts it, and creates another one', async () => {
    const { acme, available } = await given();
    expect(await available()).toMatch(/^True AccountReady/);
    acme.account.meddle({});
    acme.account.fate = () => ({
      error: new CallError('retryable', 'busy', { mayHaveEffect: false, retryAfter: 30_000 }),
    });
    acme.orders.fate = () => {
      if (JSON.stringify(acme.account.state) !== '{}') return {};
      acme.announceAccounts();
      return { error: new CallError('unauthorized', 'accountDoesNotExist: no such account') };
    };
    await world.operator.given(certificateKind, givenCertificate());
    await world.rest(2_000);
    const lost =
      'False AccountLost: The ACME server no longer has the account https://acme.example.com/dir/account; the operator creates another one';
    const rejected = 'False AccountRejected: The ACME server did not create the account: busy';
    expect([lost, rejected]).toContain(await available());
    expect((await world.issuer()).status?.account).toBeUndefined();
    acme.account.fate = () => ({});
    await world.rest(90_000);
    expect(await available()).toMatch(/^True AccountReady/);
    expect(acme.acts).toEqual(['create', 'respond', 'finalize']);
  });

  it.each([
    [
      { reason: 'AccountLost', message: 'The account https://a is lost' },
      undefined,
      /^AccountLost: .* https:\/\/a is lost$/,
    ],
    [{ reason: 'AccountReady', message: 'Ready' }, 'https://b', /^AccountLost: .* the account https:\/\/b; /],
    [{ reason: 'CreatingAccount', message: 'Creating' }, undefined, /^CreatingAccount: /],
  ])('whose server has no account after %j and %s is %s', (before, url, expected) => {
    const issuer = givenAcmeIssuer();
    const recorded = url !== undefined && { account: { server: issuer.spec.acme?.server, url } };
    const resource = { ...issuer, status: { conditions: [{ type: 'Available', ...before }], ...recorded } };
    const value = { publicKey: {}, requiresExternalAccount: false, profiles: {} };
    const known = { account: { known: true, value, at: 0, earlier: [] }, binding: undefined };
    const situation = { is: 'account', resource, acme: issuer.spec.acme, key: 'PEM', ...known };
    const { reason, message } = availableOf(
      situation as never,
      { state: 'sent', at: 0, count: 1, firstAt: 0 } as never,
    );
    expect(`${reason}: ${message}`).toMatch(expected);
  });

  it('asks for no account of a key that the server refuses, and keeps the recorded one', async () => {
    const { acme } = await given({}, { account: { refusal: 'unauthorized: deactivated' } });
    expect(acme.account.performed).toEqual([]);
    const issuer = givenAcmeIssuer();
    const { server = '' } = issuer.spec.acme ?? {};
    const account = { server, url: 'https://a' };
    const value = { publicKey: {}, requiresExternalAccount: false, profiles: {} };
    const recordedAfter = (refusal: object) =>
      accountReport(
        {
          ...{ resource: { ...issuer, status: { account } } as never, acme: issuer.spec.acme as never, key: 'PEM' },
          account: { known: true, value: { ...value, ...refusal }, at: 0, earlier: [] },
        },
        {
          call: { state: 'sent', at: 0, count: 1, firstAt: 0 } as never,
          secretRef: { namespace: 'shop', name: 'internal-account' },
        },
      ).status;
    expect(recordedAfter({ refusal: 'unauthorized: deactivated' })).toMatchObject({ account });
    expect(recordedAfter({})).not.toHaveProperty('account');
  });

  it('creates another account if the key is lost', async () => {
    const { available } = await given();
    await world.remove(Secret, 'internal-account');
    await world.rest(45_000);
    expect(Object.keys((await world.secret('internal-account')) ?? {})).toEqual(['tls.key']);
    expect(await available()).toMatch(/^True AccountReady/);
  });

  it('of all namespaces has the key of its account in the namespace of the operator, also for orders', async () => {
    const acme = await AcmeWorld.create();
    world = acme.world;
    const { spec } = givenAcmeIssuer();
    const certificate = givenCertificate({ issuer: { name: 'company', kind: 'ClusterIssuer' } });
    await world.starting(
      [clusterIssuerKind, givenClusterIssuer({ ...spec, namespaces: {} })],
      [certificateKind, certificate],
    );
    await world.rest(90_000);
    expect(await world.condition(clusterIssuerKind, 'company', 'Available')).toMatch(/^True AccountReady/);
    expect(Object.keys((await world.secret('company-account', 'reconstruct-system')) ?? {})).toEqual(['tls.key']);
    expect(acme.acts).toEqual(['create', 'respond', 'finalize']);
    expect(await world.secret('company-account')).toBeUndefined();
  });

  it('binds a new account to the external account', async () => {
    const acme = await AcmeWorld.create({ account: { requiresExternalAccount: true } });
    world = acme.world;
    await world.starting([Secret, secret], [issuerKind, givenAcmeIssuer({ externalAccount: external })]);
    await world.rest(45_000);
    expect(acme.account.performed.map(({ request }) => request)).toMatchObject([{ binding: { protected: 'kid-1' } }]);
    expect(world.questions.find(({ port }) => port === 'reconstruct/acme-binding')?.question).toMatchObject({
      publicKey: { kty: 'EC', crv: 'P-256' },
    });
  });

  it.each<readonly [reason: string, issuer: AcmeIssuerInput, answer: AcmeWorldProps['account'], message: RegExp]>([
    ['ExternalAccountRequired', {}, { requiresExternalAccount: true }, /set spec\.acme\.externalAccount$/],
    ['AccountDeactivated', {}, { account: { ...account, status: 'deactivated' } }, /delete Secret internal-account/],
    [
      'AccountDeactivated',
      {},
      { refusal: 'unauthorized: deactivated' },
      /refuses the account: unauthorized: deactivated; delete/,
    ],
    ['ProfileNotFound', { profile: 'none' }, {}, /no profile none; .*: classic$/],
    ['AccountRejected', { externalAccount: external }, {}, /Secret eab does not exist/],
  ])('reports %s', async (reason, issuer, answer, message) => {
    const { available } = await given(issuer, { account: answer });
    expect(await available()).toMatch(new RegExp(`^False ${reason}: `));
    expect(await available()).toMatch(message);
  });
});
