import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { CertificateAuthority } from '../../../../operator/certificates/authority.js';
import type { RedisAnswer, RedisQuestion } from '../../../../operator/controllers/leader/ports/redis.js';
import { redisFrom } from '../../../../operator/engines/leader/redis-source.js';
import type { SecretData, Source } from '../../../../operator/runtime/ports/external-port.js';
import { FakeClock } from '../../fake-clock.js';
import { local } from './given-pod.js';

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** A server that says the same to everybody. It notes what it was asked. */
async function given(answer: string, { tls }: { readonly tls?: { cert: string; key: string } } = {}) {
  const asked: string[] = [];
  const talk = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (piece) => {
      asked.push(piece.toString());
      // In two pieces, as a network may deliver it.
      socket.write(answer.slice(0, 7));
      setImmediate(() => socket.write(answer.slice(7)));
    });
  };
  const server: Server = tls ? createTlsServer(tls, talk) : createServer(talk);
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { port: (server.address() as AddressInfo).port, asked };
}

const leads =
  '+PONG\r\n*3\r\n$6\r\nmaster\r\n:14\r\n*1\r\n*3\r\n$8\r\n10.0.0.2\r\n$4\r\n6379\r\n$2\r\n14\r\n$1\r\n7\r\n';

function ask(question: Partial<RedisQuestion>, secret?: SecretData, clock = local.clock): Promise<RedisAnswer> {
  const { source } = redisFrom({ ...local, clock });
  const whole = { address: '127.0.0.1', port: 6379, hasPassword: false, ...question };
  return (source as unknown as Source<RedisQuestion, RedisAnswer>)(whole, {
    signal: new AbortController().signal,
    secret,
  });
}

describe('a client of the leader', () => {
  it.each([
    { what: 'a leader and its term', text: leads, answer: { state: 'serving', role: 'leader', term: 7 } },
    {
      what: 'a replica without a term',
      text: '+PONG\r\n*5\r\n$5\r\nslave\r\n$8\r\n10.0.0.2\r\n:6379\r\n$9\r\nconnected\r\n:14\r\n$-1\r\n',
      answer: { state: 'serving', role: 'replica' },
    },
    {
      what: 'that a password is needed',
      text: '-NOAUTH Authentication required.\r\n'.repeat(3),
      answer: { state: 'failed', why: 'NOAUTH Authentication required.' },
    },
    {
      what: 'that data load',
      text: '-LOADING Redis is loading the dataset in memory\r\n'.repeat(3),
      answer: { state: 'failed', why: 'LOADING Redis is loading the dataset in memory' },
    },
    {
      what: 'another server',
      text: 'HTTP/1.1 400 Bad Request\r\n\r\n',
      answer: { state: 'failed', why: 'the server does not speak the protocol of Redis' },
    },
    {
      what: 'an endless answer',
      text: `$90000\r\n${'x'.repeat(80_000)}`,
      answer: { state: 'failed', why: 'the server answers more than 65536 bytes' },
    },
    {
      what: 'another role',
      text: '+PONG\r\n*1\r\n$8\r\nsentinel\r\n$-1\r\n',
      answer: { state: 'failed', why: 'the server answers PING or ROLE in an unknown way' },
    },
  ])('sees $what', async ({ text, answer }) => {
    const { port } = await given(text);
    expect(await ask({ port })).toEqual(answer);
  });

  it('logs in with the password of the Secret, and with the user if it has one', async () => {
    const { port, asked } = await given(`+OK\r\n${leads}`);
    expect(await ask({ port, hasPassword: true }, { password: 'open sesame' })).toMatchObject({
      state: 'serving',
      term: 7,
    });
    await ask({ port, hasPassword: true }, { username: 'operator', password: 'open sesame' });
    expect(asked[0]).toContain('*2\r\n$4\r\nAUTH\r\n$11\r\nopen sesame\r\n');
    expect(asked[1]).toContain('*3\r\n$4\r\nAUTH\r\n$8\r\noperator\r\n$11\r\nopen sesame\r\n');
  });

  it('tells a missing key and a wrong password, without the password', async () => {
    expect(await ask({ hasPassword: true }, {})).toEqual({ state: 'failed', why: 'the Secret has no key password' });
    const { port } = await given('-WRONGPASS invalid username-password pair or user is disabled.\r\n'.repeat(4));
    const answer = await ask({ port, hasPassword: true }, { password: 'open sesame' });
    expect(answer).toMatchObject({ state: 'failed', why: expect.stringContaining('WRONGPASS') });
    expect(JSON.stringify(answer)).not.toContain('sesame');
  });

  it('tells a server that is away, and one that hangs', async () => {
    expect(await ask({ port: 1 })).toMatchObject({ state: 'failed', why: expect.stringContaining('ECONNREFUSED') });
    const { port, asked } = await given('');
    const clock = new FakeClock();
    const answer = ask({ port }, undefined, clock);
    await expect.poll(() => asked.length, { timeout: 60_000 }).toBe(1);
    await clock.advance(3_000);
    expect(await answer).toEqual({ state: 'failed', why: 'no answer within 3000 ms' });
  });

  it('trusts a server by the authority and the name of the question', async () => {
    const authority = await CertificateAuthority.create();
    const { certificate: cert, key } = await authority.issue({ commonName: 'cache', hosts: ['cache-leader.shop.svc'] });
    const { port } = await given(leads, { tls: { cert, key } });
    const tls = { authority: authority.own.certificate, serverName: 'cache-leader.shop.svc' };
    expect(await ask({ port, tls })).toMatchObject({ state: 'serving' });
    expect(await ask({ port, tls: { ...tls, serverName: 'other.shop.svc' } })).toMatchObject({ state: 'failed' });
    expect(await ask({ port, tls: { serverName: tls.serverName } })).toMatchObject({ state: 'failed' });
  });
});
