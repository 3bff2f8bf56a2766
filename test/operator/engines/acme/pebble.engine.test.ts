import { X509Certificate } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AcmeAccount,
  acmeAccount,
  acmeRevocation,
  externalAccountBinding,
  externalAccountKey,
} from '../../../../operator/controllers/certificates/ports/acme.js';
import { acmeContract } from './acme.contract.js';
import { AcmeProcess, accountSecret, signingRequest } from './acme-process.js';
import { LimitingProxy } from './limiting-proxy.js';
import { blockedName, Pebble, pebbleAbsence, profiles } from './pebble-server.js';
import { translated } from './translation.js';

const absent = await pebbleAbsence();
if (absent !== undefined) console.warn(`orders at a real ACME server are not tried out: ${absent}`);

const dns01 = [{ dns01: {} }];
const [one, two] = ['a.example.com', 'b.example.com'];

describe.skipIf(absent)('an order at a real ACME server', () => {
  let pebble: Pebble;
  let process: AcmeProcess;
  let account: AcmeAccount;
  let http: Server;

  beforeAll(async () => {
    pebble = await Pebble.start();
    process = new AcmeProcess(pebble.server);
    http = await pebble.serve(process.ports.responder.server());
    account = await process.register({ email: 'admin@example.com' });
  }, 600_000);
  afterAll(async () => {
    http?.close();
    await pebble?.[Symbol.asyncDispose]();
  });

  it('is issued for two names that are validated by HTTP, with one call for each step', async () => {
    const { step, calls } = await process.follow(account, { names: [one, two] });
    expect(calls.map(({ act }) => act)).toEqual(['create', 'respond', 'respond', 'finalize']);
    expect(certificateIn(step.chain).subjectAltName).toBe(`DNS:${one}, DNS:${two}`);
    expect(step.chain?.match(/BEGIN CERTIFICATE/g)?.length).toBeGreaterThan(1);
  });

  it('is issued for a wildcard and its domain by two values of one record', async () => {
    const present = async ({ name, record = '' }: { readonly name: string; readonly record?: string | undefined }) =>
      pebble.addRecord(`_acme-challenge.${name}`, record);
    const { step } = await process.follow(account, {
      names: ['*.example.com', 'example.com'],
      solvers: dns01,
      present,
    });
    expect(certificateIn(step.chain).subjectAltName).toBe('DNS:*.example.com, DNS:example.com');
  });

  it.each(Object.entries(profiles))('has the validity of the profile %s', async (profile, seconds) => {
    const { step } = await process.follow(account, { names: [one], profile });
    const { validFrom, validTo } = certificateIn(step.chain);
    expect(Math.round((Date.parse(validTo) - Date.parse(validFrom)) / 1000) + 1).toBe(seconds);
  });

  it('fails in the words of the server when a response is wrong', async () => {
    const { step } = await process.follow(account, { names: ['wrong.example.com'], solvers: dns01 });
    expect(step).toMatchObject({ reason: 'OrderFailed', hasFailed: true });
    expect(step.message).toMatch(/^The order failed: wrong\.example\.com: unauthorized: .*TXT/);
  });

  it.each([
    { refused: 'a name', names: [blockedName], kind: 'terminal', message: /rejectedIdentifier: .*blocked/ },
    { refused: 'a profile', names: [one], profile: 'none', kind: 'terminal', message: /invalidProfile: .*"none"/ },
  ])('is refused for $refused with its type and the words of the server', async ({ names, profile, kind, message }) => {
    const wanted = { names, ...(profile !== undefined && { profile }) };
    await expect(process.follow(account, wanted)).rejects.toMatchObject({
      kind,
      message: expect.stringMatching(message),
    });
  });

  it('goes on in another process that knows its URL, and is not created again', async () => {
    const wanted = { names: ['restarted.example.com'] };
    const before = await process.follow(account, wanted, ({ reason }) => reason === 'Presenting');
    const next = new AcmeProcess(pebble.server, process.secret);
    http.close();
    http = await pebble.serve(next.ports.responder.server());
    const { recorded } = { recorded: before.step.record ?? before.facts.recorded };
    const after = await next.follow(account, wanted, undefined, { recorded });
    expect(after.calls.map(({ act }) => act)).toEqual(['respond', 'finalize']);
    expect(after.step.reason).toBe('Issued');
    http.close();
    http = await pebble.serve(process.ports.responder.server());
  });

  it('has another URL in another process that does not know its URL: Pebble, unlike Boulder, reuses no order', async () => {
    const wanted = { names: ['lost.example.com'] };
    const first = await process.follow(account, wanted, ({ record }) => record !== undefined);
    const next = new AcmeProcess(pebble.server, process.secret);
    const second = await next.follow(account, wanted, ({ record }) => record !== undefined);
    expect(second.step.record?.url).not.toBe(first.step.record?.url);
  });

  it('is gone for another account', async () => {
    const { step } = await process.follow(
      account,
      { names: ['other.example.com'] },
      ({ record }) => record !== undefined,
    );
    const other = new AcmeProcess(pebble.server);
    const question = { ...(await other.register()), id: 'an-id', names: [], order: step.record?.url ?? '' };
    expect(await other.order(question)).toEqual({ isGone: true });
  });

  it('ends with a certificate that can be revoked, twice', async () => {
    const { step } = await process.follow(account, { names: ['revoked.example.com'] });
    const question = { ...account, certificate: step.chain ?? '' };
    expect(await process.ask(acmeRevocation, question)).toEqual({ state: 'unknown' });
    await process.send(acmeRevocation, question);
    expect(await process.ask(acmeRevocation, question)).toEqual({ state: 'revoked' });
    const next = new AcmeProcess(pebble.server, process.secret);
    await next.send(acmeRevocation, question);
    expect(await next.ask(acmeRevocation, question)).toEqual({ state: 'revoked' });
  });

  it('is refused without the account, which a new key creates anew', async () => {
    const lost = new AcmeProcess(pebble.server, accountSecret());
    expect((await lost.account()).account).toBeUndefined();
    const unknown = { ...account, account: `${new URL(account.account).origin}/my-account/none` };
    const question = { ...unknown, id: 'an-id', names: [one], order: 'https://localhost/order' };
    await expect(lost.change({ ...unknown, act: 'create', id: 'an-id', names: [one] })).rejects.toMatchObject({
      kind: 'unauthorized',
      message: expect.stringMatching(/^accountDoesNotExist: /),
    });
    const created = await lost.register();
    expect(created.account).not.toBe(account.account);
    expect(question.names).toEqual([one]);
    expect((await lost.follow(created, { names: [one] }, ({ record }) => record !== undefined)).step.reason).toBe(
      'Presenting',
    );
  });
});

describe.skipIf(absent)('an account at a real ACME server', () => {
  it('changes its contact', async () => {
    await using pebble = await Pebble.start();
    const process = new AcmeProcess(pebble.server);
    await process.register({ email: 'a@example.com' });
    await process.send(acmeAccount, { ...pebble.server, email: 'b@example.com' });
    expect((await process.account()).account?.contact).toEqual(['mailto:b@example.com']);
  });

  it('is bound to an external account, whose key does not enter a question', async () => {
    const key = Buffer.from('0123456789abcdef0123456789abcdef').toString('base64url');
    await using pebble = await Pebble.start({ externalAccounts: { mine: key } });
    const process = new AcmeProcess(pebble.server);
    const { publicKey, requiresExternalAccount } = await process.account();
    expect(requiresExternalAccount).toBe(true);
    await expect(process.register()).rejects.toMatchObject({
      kind: 'terminal',
      message: expect.stringMatching(/^externalAccountRequired: /),
    });
    const bound = (secret: string) =>
      process.ask(
        externalAccountBinding,
        { ...pebble.server, keyId: 'mine', publicKey },
        { [externalAccountKey]: secret },
      );
    const wrong = Buffer.from('another key').toString('base64url');
    await expect(process.register({ binding: await bound(wrong) })).rejects.toMatchObject({ kind: 'terminal' });
    expect((await process.register({ binding: await bound(key) })).account).toMatch(/^https:/);
  });
});

describe.skipIf(absent)('a server that is hard to please', () => {
  it('issues although it refuses a fifth of the nonces', async () => {
    await using pebble = await Pebble.start({ refusedNonces: 20 });
    const process = new AcmeProcess(pebble.server);
    await using _http = disposable(await pebble.serve(process.ports.responder.server()));
    const { step } = await process.follow(await process.register(), { names: [one, two] });
    expect(step.reason).toBe('Issued');
  });

  it('is asked again only after the time of its Retry-After', async () => {
    await using pebble = await Pebble.start({ retryAfter: 60 });
    const process = new AcmeProcess(pebble.server);
    await using _http = disposable(await pebble.serve(createServer(() => {}))); // the validation waits for an answer
    const account = await process.register();
    const wanted = { names: [one] };
    const { facts } = await process.follow(
      account,
      wanted,
      ({ reason, calls, responses }) =>
        reason === 'Validating' && responses.length > 0 && Object.keys(calls).length === 0,
    );
    expect(facts.answer?.order?.status).toBe('pending');
    await pebble[Symbol.asyncDispose]();
    const { reason } = (await process.follow(account, wanted, () => true, { recorded: facts.recorded })).step;
    expect(reason).toBe('Validating');
  });

  it('that limits orders is left alone for these names until it wants the next one', async () => {
    await using pebble = await Pebble.start();
    await using proxy = await LimitingProxy.start(pebble);
    const process = new AcmeProcess(proxy.server);
    const account = await process.register();
    const detail = 'too many certificates already issued';
    proxy.limit = (_method, path) =>
      path.startsWith('/order-plz')
        ? {
            status: 429,
            headers: { 'Retry-After': '3600' },
            body: { type: 'urn:ietf:params:acme:error:rateLimited', detail },
          }
        : undefined;
    const create = { ...account, act: 'create' as const, id: 'an-id', names: [one] };
    const refusal = { kind: 'retryable', message: `rateLimited: ${detail}`, mayHaveEffect: false };
    await expect(process.change(create)).rejects.toMatchObject({ ...refusal, retryAfter: 3_600_000 });
    proxy.requests.length = 0;
    await expect(process.change({ ...create, id: 'another-id' })).rejects.toMatchObject(refusal);
    expect(proxy.requests).toEqual([]);
  });

  it('costs two requests for each answer, and one directory for all', async () => {
    await using pebble = await Pebble.start();
    await using proxy = await LimitingProxy.start(pebble);
    const process = new AcmeProcess(proxy.server);
    const account = await process.register();
    const { facts } = await process.follow(account, { names: [one] }, ({ record }) => record !== undefined);
    proxy.requests.length = 0;
    await process.order({
      ...account,
      id: 'a-uid/1/0',
      names: [one],
      ...(facts.answer?.order && { order: facts.answer.order.url }),
    });
    expect(proxy.requests.toSorted()).toEqual(['HEAD nonce-plz', 'HEAD nonce-plz', 'POST authZ', 'POST my-order']);
  });
});

describe.skipIf(absent)('the contract of the models', async () => {
  const names = ['a.example.com'];
  const { csr } = await signingRequest(names);
  let pebble: Pebble;
  let http: Server;
  const responder = { current: new AcmeProcess({ directory: '' }).ports.responder };

  beforeAll(async () => {
    pebble = await Pebble.start();
    http = await pebble.serve(
      createServer((request, response) => void response.end(responder.current.responseTo(request.url ?? ''))),
    );
  });
  afterAll(async () => {
    http?.close();
    await pebble?.[Symbol.asyncDispose]();
  });

  const start = async (of: 'bare' | 'registered') => {
    const process = new AcmeProcess(pebble.server);
    responder.current = process.ports.responder;
    const account = of === 'registered' ? (await process.register()).account : undefined;
    return translated(process, account);
  };
  for (const { name, holds } of acmeContract(start, { csr, visibleWithin: 1_000 })) it(`holds: ${name}`, holds);
});

function certificateIn(chain = ''): X509Certificate {
  return new X509Certificate(chain);
}

function disposable(server: Server): AsyncDisposable {
  return { [Symbol.asyncDispose]: async () => void server.close().closeAllConnections() };
}
