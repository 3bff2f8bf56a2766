import { X509Certificate } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { httpRouteKind } from '../../../../imports/index.js';
import { issuerPart } from '../../../../operator/controllers/certificates/issuer-reference/issuer-part.js';
import { issuerStateOf } from '../../../../operator/controllers/certificates/issuer-reference/issuer-state.js';
import { CallError } from '../../../../operator/runtime/index.js';
import { Event } from '../../../../operator/runtime/kubernetes/kinds.js';
import {
  type AcmeSolvers,
  AcmeWorld,
  type AcmeWorldProps,
  dns,
  givenAcmeIssuer,
  http,
  tsigSecret,
} from './given-acme.js';
import {
  type CertificateWorld,
  certificateKind,
  givenCertificate,
  givenIssuer,
  issuerKind,
  Secret,
} from './given-certificates.js';

const minute = 60_000;
let world: CertificateWorld;
afterEach(() => world.close());

type CertificateInput = Parameters<typeof givenCertificate>[0];

async function given(props: AcmeWorldProps = {}, solvers: AcmeSolvers = [http]) {
  const acme = await AcmeWorld.create(props);
  world = acme.world;
  return {
    acme,
    start: async (spec: CertificateInput = {}) => {
      const objects = [
        [Secret, tsigSecret],
        [issuerKind, givenAcmeIssuer({ solvers })],
        [certificateKind, givenCertificate(spec)],
      ] as const;
      await world.starting(...objects);
      await world.rest(45_000);
    },
    upToDate: () => world.condition(certificateKind, 'shop', 'UpToDate'),
  };
}

/** The verbs of the operator for a kind, in their order. */
function verbsOf(kind: string): readonly string[] {
  return world.operator.writes.flatMap((write) => {
    const [verb = '', of] = write.split(' ');
    return of === kind && verb !== 'apply' ? [verb] : [];
  });
}

describe('a Certificate of an ACME issuer', () => {
  it('line 6: is issued by HTTP-01 with one order, and its route is gone afterwards', async () => {
    const { acme, start } = await given();
    await start();
    expect(acme.acts).toEqual(['create', 'respond', 'finalize']);
    const secret = await world.secret();
    expect(Object.keys(secret ?? {}).toSorted()).toEqual(['tls.crt', 'tls.key']);
    expect(new X509Certificate(secret?.['tls.crt'] ?? '').subjectAltName).toBe('DNS:shop.example.com');
    const { status } = await world.certificate();
    expect(status).toMatchObject({ revision: 1, server: 'https://acme.example.com/dir' });
    expect([status?.order, status?.responses, status?.issuing]).toEqual([undefined, undefined, undefined]);
    expect(await world.condition(certificateKind, 'shop', 'Ready')).toMatch(/^True/);
    for (const kind of ['Service', 'EndpointSlice', 'Ingress']) expect(verbsOf(kind)).toEqual(['create', 'remove']);
  });

  it('line 6: is issued for a wildcard and its domain by two values of one record, which is empty afterwards', async () => {
    const names = ['*.example.com', 'example.com'];
    const { acme, start } = await given({ names }, [dns]);
    await start({ dnsNames: names });
    expect(acme.acts).toEqual(['create', 'respond', 'respond', 'finalize']);
    expect(acme.records.performed.map(({ request }) => request)).toMatchObject(
      ['add', 'add', 'remove', 'remove'].map((action) => ({
        changes: [{ action, name: '_acme-challenge.example.com', type: 'TXT' }],
      })),
    );
    expect(acme.records.state).toEqual({ '_acme-challenge.example.com': [] });
    expect((await world.certificate()).status?.records).toBeUndefined();
  });

  it('is not deleted before its TXT records are', async () => {
    const { acme, start } = await given({ names: ['*.example.com'] }, [dns]);
    acme.visible.answer = { isVisible: false, why: 'ns1 has no TXT record' };
    await start({ dnsNames: ['*.example.com'] });
    expect(acme.records.state).toEqual({ '_acme-challenge.example.com': ['record-1-1'] });
    acme.records.silence = 'the server is away';
    await world.remove(certificateKind, 'shop');
    await world.rest(45_000);
    expect(await world.certificate()).toBeDefined();
    acme.records.silence = undefined;
    await world.rest(minute);
    expect(acme.records.state).toEqual({ '_acme-challenge.example.com': [] });
    expect(await world.certificate()).toBeUndefined();
  });

  it('names the TXT record that stays when its issuer becomes a CA', async () => {
    const { acme, start } = await given({ names: ['*.example.com'] }, [dns]);
    acme.visible.answer = { isVisible: false, why: 'ns1 has no TXT record' };
    await start({ dnsNames: ['*.example.com'] });
    await world.operator.given(issuerKind, givenIssuer({ commonName: 'internal CA' }));
    await world.rest(minute);
    const { items } = await world.operator.memory.list(Event, {});
    const notes = items.map((event) => event as { readonly reason?: string; readonly note?: string });
    expect(notes.filter(({ reason }) => reason === 'RecordLeft').map(({ note }) => note)).toEqual([
      'The issuer no longer has a solver with 192.0.2.53; remove the TXT record of _acme-challenge.example.com with the value record-1-1',
    ]);
  });

  it('loses its TXT records with a spec that its issuer cannot issue', async () => {
    const { acme, start } = await given({ names: ['*.example.com'] }, [dns]);
    acme.visible.answer = { isVisible: false, why: 'ns1 has no TXT record' };
    await start({ dnsNames: ['*.example.com'] });
    await world.operator.given(certificateKind, givenCertificate({ dnsNames: [], uris: ['spiffe://a'] }));
    await world.rest(minute);
    expect(acme.records.state).toEqual({ '_acme-challenge.example.com': [] });
  });

  it('answers no challenge before its response is visible, and says why', async () => {
    const { acme, start, upToDate } = await given();
    acme.visible.answer = { isVisible: false, why: 'http://shop.example.com/ answers 404' };
    await start();
    expect(acme.acts).toEqual(['create']);
    expect(await upToDate()).toMatch(/^Unknown Issuing: .* shop\.example\.com is not visible yet: http.* answers 404$/);
    acme.visible.answer = { isVisible: true };
    await world.rest(45_000);
    expect(acme.acts).toEqual(['create', 'respond', 'finalize']);
  });

  it.each([
    [undefined, /no controller has accepted HTTPRoute \S+; create Gateway web, or correct its listeners$/],
    ['False', /Gateway web does not accept HTTPRoute \S+: NotAllowedByListeners: no listener fits$/],
    ['True', /answers 404$/],
  ])('names the Gateway if its condition Accepted of the route is %s', async (status, told) => {
    const { acme, start, upToDate } = await given({}, [{ http01: { gateway: { name: 'web' } } }]);
    acme.visible.answer = { isVisible: false, why: 'http://shop.example.com/ answers 404' };
    await start();
    const { items } = await world.operator.memory.list(httpRouteKind, {});
    const accepted = { type: 'Accepted', status, reason: 'NotAllowedByListeners', message: 'no listener fits' };
    const parents = [{ parentRef: { name: 'web' }, conditions: [accepted] }];
    for (const { metadata } of status === undefined ? [] : items)
      await world.operator.memory.patch(httpRouteKind, metadata, [{ op: 'add', path: '/status', value: { parents } }], {
        manager: 'gateway',
        subresource: 'status',
      });
    await world.rest(45_000);
    expect(items).toHaveLength(1);
    expect(await upToDate()).toMatch(told);
  });

  it('line 6: fails in the words of the server, and orders again after a minute and after 15, not earlier', async () => {
    const problem = { type: 'unauthorized', detail: 'Invalid response from http://shop.example.com: 404' };
    const { acme, start, upToDate } = await given({ failures: { 'shop.example.com': problem } });
    await start();
    expect(await upToDate()).toMatch(/^False OrderFailed: .*shop\.example\.com: unauthorized: Invalid response from/);
    expect((await world.certificate()).status?.failedOrders).toMatchObject({ count: 1, generation: 1 });
    const once = ['create', 'respond'];
    expect(acme.acts).toEqual(once);
    await world.after(2 * minute);
    expect(acme.acts).toEqual([...once, ...once]);
    expect((await world.certificate()).status?.failedOrders?.count).toBe(2);
    await world.after(12 * minute);
    expect(acme.acts).toEqual([...once, ...once]);
    await world.after(3 * minute);
    expect(acme.acts).toEqual([...once, ...once, ...once]);
  });

  it('reports an order that the server refuses in its words', async () => {
    const { acme, start, upToDate } = await given();
    acme.orders.fate = () => ({ error: new CallError('terminal', 'rejectedIdentifier: the name is not public') });
    await start();
    expect(await upToDate()).toMatch(/^False OrderFailed: .*rejectedIdentifier: the name is not public$/);
  });

  it('line 6: is ordered again if the request never reached the server', async () => {
    const { acme, start } = await given();
    acme.orders.fate = () => ({ isLost: true });
    await start();
    expect(acme.acts).toEqual([]);
    acme.orders.fate = () => ({});
    await world.rest(2 * minute);
    expect(acme.acts).toEqual(['create', 'respond', 'finalize']);
  });

  it('line 10: a restarted operator goes on with the recorded order', async () => {
    const { acme, start } = await given();
    acme.visible.answer = { isVisible: false, why: 'not yet' };
    await start();
    world = await world.restarted();
    acme.visible.answer = { isVisible: true };
    await world.rest(45_000);
    expect(acme.acts).toEqual(['create', 'respond', 'finalize']);
    expect(await world.condition(certificateKind, 'shop', 'Valid')).toMatch(/^True/);
  });

  it('keeps the certificate that serves if the server answers with one for other names', async () => {
    const { acme, start, upToDate } = await given({ names: ['other.example.com'] });
    await start();
    expect(acme.acts).toEqual(['create', 'respond', 'finalize']);
    expect(await upToDate()).toMatch(/^False OrderFailed: .*it has other DNS names/);
    expect(await world.secret()).toBeUndefined();
  });

  it('is issued anew if its issuer becomes one of an ACME server, and not again', async () => {
    const { acme } = await given();
    const ca = {
      ...givenAcmeIssuer(),
      spec: { ca: { commonName: 'internal CA', duration: '1095d', privateKey: { algorithm: 'ECDSA' } } },
    };
    // Otherwise the new key would be the one that serves.
    const { replies } = world;
    world.replies = {};
    await world.starting([issuerKind, ca], [certificateKind, givenCertificate()]);
    world.replies = replies;
    expect((await world.certificate()).status?.revision).toBe(1);
    await world.operator.given(issuerKind, givenAcmeIssuer());
    await world.rest(45_000);
    expect((await world.certificate()).status).toMatchObject({ revision: 2, server: 'https://acme.example.com/dir' });
    const { length } = world.operator.writes;
    await world.rest(10 * minute);
    expect(world.operator.writes.slice(length)).toEqual([]);
    expect(acme.acts).toEqual(['create', 'respond', 'finalize']);
  });

  it('says that the operator does not answer HTTP-01 challenges', async () => {
    const { start, upToDate } = await given({ hasResponder: false });
    await start();
    expect(await upToDate()).toMatch(/does not answer HTTP-01 challenges; set --acme-port and --pod-ip$/);
  });
});

describe('a Certificate that an ACME server cannot issue', () => {
  it.each<readonly [when: string, spec: CertificateInput, message: RegExp]>([
    [
      'a wildcard has no dns01 solver',
      { dnsNames: ['*.a.com'] },
      /"\*\.a\.com": must match a solver; add one with dns01/,
    ],
    [
      'a name is an email address',
      { emailAddresses: ['a@example.com'] },
      /spec\.emailAddresses: Forbidden: must not be/,
    ],
    ['a name is a URI', { uris: ['spiffe://a'] }, /spec\.uris: Forbidden: must not be set/],
    ['it is for a CA', { isCA: true }, /spec\.isCA: Invalid value: true: must be false/],
    [
      'the common name is not validated',
      { commonName: 'shop' },
      /spec\.commonName: Invalid value: "shop": must be one/,
    ],
    ['it has no name that is validated', { dnsNames: [], commonName: 'shop' }, /spec\.dnsNames: Required value/],
  ])('is told so when %s', (_, spec, message) => {
    const account = { server: 'https://acme.example.com/dir', url: 'https://acme.example.com/account' };
    const conditions = [{ type: 'Available', status: 'True' }];
    const issuer = issuerPart({
      ...givenAcmeIssuer(),
      status: { observedGeneration: 1, account, conditions },
    } as never);
    const reads = { issuer, clusterIssuer: undefined, namespace: undefined };
    const state = issuerStateOf(givenCertificate(spec).spec as never, reads);
    expect(state).toMatchObject({ is: 'RequestNotSupported', message: expect.stringMatching(message) });
  });
});
