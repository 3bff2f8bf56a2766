import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import type {
  EtcdKeysAnswer,
  EtcdKeysQuestion,
  EtcdKeysRequest,
} from '../../../../operator/controllers/publication/ports/etcd.js';
import { etcdKeysSource } from '../../../../operator/engines/etcd/keys-source.js';
import { systemClock } from '../../../../operator/runtime/ports/clock.js';
import type { Perform, Provided, SecretData, Source } from '../../../../operator/runtime/ports/external-port.js';
import { etcdAbsence } from './given-etcd.js';
import { etcdKeysContract } from './keys.contract.js';
import { PlainEtcd } from './plain-etcd.js';

if (etcdAbsence) console.warn(`skipped: ${etcdAbsence}`);

const plain = etcdAbsence ? undefined : await PlainEtcd.start();
const secure = etcdAbsence ? undefined : await PlainEtcd.start({ isSecure: true });
afterAll(() => Promise.all([plain?.dispose(), secure?.dispose()]));

const { signal } = new AbortController();
const real = etcdKeysSource({ clock: systemClock, addresses: { lookupFor: () => lookup as LookupFunction } });

/** The real source with the data of a Secret, which the runtime passes otherwise. */
function withSecret(secret?: SecretData): Provided {
  const source = real.source as Source<never, unknown>;
  const perform = real.performer?.perform as Perform<never>;
  return {
    ...real,
    source: (question, options) => source(question, { ...options, ...(secret && { secret }) }),
    performer: { perform: (request, options) => perform(request, { ...options, ...(secret && { secret }) }) },
  };
}

const key = '/skydns/com/example/other';
const send = (endpoints: readonly string[], put: EtcdKeysRequest['put'], secret?: SecretData) => {
  const perform = withSecret(secret).performer?.perform as Perform<EtcdKeysRequest>;
  return perform({ endpoints, requires: [], put: put ?? {} }, { signal, mayLeave: () => {} });
};
const ask = async (endpoints: readonly string[], secret?: SecretData) => {
  const source = withSecret(secret).source as unknown as Source<EtcdKeysQuestion, EtcdKeysAnswer>;
  return (await source({ endpoints, key, ownerKey: '/owner' }, { signal })).values;
};

describe.skipIf(etcdAbsence)('etcd', () => {
  etcdKeysContract(async () => {
    await plain?.etcdctl('del', '--prefix', '/');
    return { endpoints: [plain?.endpoint ?? ''], provided: withSecret() };
  });

  describe('with TLS', () => {
    etcdKeysContract(async () => {
      await secure?.etcdctl('del', '--prefix', '/');
      return { endpoints: [secure?.endpoint ?? ''], provided: withSecret(secure?.secret) };
    });

    test('accepts no client without a certificate, and no client accepts another authority', async () => {
      const { endpoint = '', secret = {} } = secure ?? {};
      const { 'ca.crt': ca = '', ...own } = secret;
      await expect(ask([endpoint], { 'ca.crt': ca })).rejects.toMatchObject({ kind: 'unreachable' });
      await expect(send([endpoint], { [key]: 'v' }, own)).rejects.toMatchObject({
        ...{ kind: 'unreachable', mayHaveEffect: false, message: expect.stringMatching(/certificate/) },
      });
    });
  });

  test('is asked at the next endpoint if one is away, and reports each if all are', async () => {
    const endpoints = ['http://127.0.0.1:1', plain?.endpoint ?? ''];
    await send(endpoints, { [key]: 'v' });
    expect(await ask(endpoints)).toEqual({ [key]: 'v' });
    await expect(send(['http://127.0.0.1:1', 'http://127.0.0.1:2'], { [key]: 'v' })).rejects.toMatchObject({
      ...{ kind: 'unreachable', mayHaveEffect: false },
      message: '127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1; 127.0.0.1:2: connect ECONNREFUSED 127.0.0.1:2',
    });
  });

  test('has all that it answered for after SIGKILL and a restart', async () => {
    const endpoints = [plain?.endpoint ?? ''];
    await send(endpoints, { [key]: 'before' });
    await plain?.kill();
    await expect(send(endpoints, { [key]: 'meanwhile' })).rejects.toMatchObject({
      ...{ kind: 'unreachable', mayHaveEffect: false },
    });
    await plain?.started();
    expect(await ask(endpoints)).toEqual({ [key]: 'before' });
  });

  test('wants a user once it has users, whose password reaches no message', async () => {
    const endpoints = [plain?.endpoint ?? ''];
    const user = { username: 'publisher', password: 'p4ssw0rd-of-publisher' };
    for (const name of ['root', user.username]) {
      await plain?.etcdctl('user', 'add', `${name}:${user.password}`);
      await plain?.etcdctl('role', 'add', name);
      await plain?.etcdctl('user', 'grant-role', name, name);
    }
    await plain?.etcdctl('role', 'grant-permission', user.username, 'readwrite', '/skydns', '/skydns0');
    await plain?.etcdctl('role', 'grant-permission', user.username, 'read', '/owner');
    await plain?.etcdctl('auth', 'enable');
    try {
      await expect(ask(endpoints)).rejects.toMatchObject({ kind: 'unauthorized' });
      const wrong = { ...user, password: 'wr0ng-p4ssw0rd' };
      await expect(ask(endpoints, wrong)).rejects.toMatchObject({
        ...{ kind: 'unauthorized', message: expect.not.stringContaining(wrong.password) },
      });
      await send(endpoints, { [key]: 'by the user' }, user);
      expect(await ask(endpoints, user)).toEqual({ [key]: 'by the user' });
      await expect(send(endpoints, { '/registry/secrets': 'v' }, user)).rejects.toMatchObject({
        ...{ kind: 'unauthorized', message: expect.stringContaining('permission denied') },
      });
      // Tokens end with the process that gave them.
      await plain?.kill();
      await plain?.started();
      expect(await ask(endpoints, user)).toEqual({ [key]: 'by the user' });
    } finally {
      await plain?.etcdctl('--user', `root:${user.password}`, 'auth', 'disable');
    }
  });
});
