import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { classes, decodeMessage, encodeMessage, opcodes, types } from '../../../../operator/engines/dns/message.js';
import { sign, verify } from '../../../../operator/engines/dns/tsig.js';
import { tsigKey } from '../../../../operator/engines/dns/tsig-key.js';
import { InvalidInputError, MalformedMessageError } from '../../../../operator/engines/dns/wire.js';
import { givenKey, signedAnswer } from './given-server.js';

const base64 = (length: number) => Buffer.alloc(length, 'k').toString('base64');

describe('a key', () => {
  test.each([
    { algorithm: undefined, is: 'hmac-sha256' },
    { algorithm: 'hmac-sha384', is: 'hmac-sha384' },
    { algorithm: 'HMACSHA512', is: 'hmac-sha512' },
    { algorithm: ' HMAC-SHA256\n', is: 'hmac-sha256' },
  ])('has the algorithm $is, where the Secret has $algorithm', ({ algorithm, is }) => {
    const data = { name: 'K8s.', secret: `${base64(32)}\n`, ...(algorithm !== undefined && { algorithm }) };
    expect(tsigKey(data)).toMatchObject({ name: 'k8s', algorithm: is });
  });

  test.each<{ data: Readonly<Record<string, string>>; why: string }>([
    { data: { secret: base64(32) }, why: 'name: Required value: the Secret must have it, for TSIG' },
    { data: { name: 'k8s' }, why: 'secret: Required value: the Secret must have it, for TSIG' },
    { data: { name: 'k8s', secret: ' ' }, why: 'secret: Required value: the Secret must have it, for TSIG' },
    { data: { name: 'a..b', secret: base64(32) }, why: 'name: Invalid value: "a..b": must not have an empty label' },
    {
      data: { name: 'k8s', secret: 'not base64' },
      why: 'secret: Invalid value: must be base64, as tsig-keygen prints it',
    },
    {
      data: { name: 'k8s', secret: base64(15) },
      why: 'secret: Too short: must have at least 16 bytes; create a new key',
    },
    {
      data: { name: 'k8s', secret: base64(32), algorithm: 'hmac-sha1' },
      why: 'algorithm: Unsupported value: "hmac-sha1": must be hmac-sha256, hmac-sha384, hmac-sha512; others are too weak',
    },
    {
      data: { name: 'k8s', secret: base64(32), algorithm: 'HMACMD5' },
      why: 'algorithm: Unsupported value: "HMACMD5": must be hmac-sha256, hmac-sha384, hmac-sha512; others are too weak',
    },
    {
      data: { name: 'k8s', secret: base64(32), algorithm: 'gss-tsig' },
      why: 'algorithm: Unsupported value: "gss-tsig": must be hmac-sha256, hmac-sha384, hmac-sha512',
    },
  ])('is refused: $why', ({ data, why }) => {
    expect(() => tsigKey(data)).toThrow(new InvalidInputError(why));
  });

  test('shows no secret where it is logged', () => {
    const key = tsigKey({ name: 'k8s', secret: base64(32) });
    for (const shown of [inspect(key, { depth: 9, showHidden: true }), JSON.stringify(key)]) {
      expect(shown).not.toContain('kkkk');
      expect(shown).not.toContain(base64(32).slice(0, 8));
    }
  });
});

const time = 1_900_000_000;
const plain = encodeMessage({
  id: 7,
  opcode: opcodes.update,
  question: { name: 'example.com', type: types.soa, class: classes.in },
});
const request = sign(plain, givenKey, time);
const answer = signedAnswer(request, { time });
const other = tsigKey({ name: 'other', secret: base64(32) });
const verified = (bytes: Buffer, { key = givenKey, mac = request.mac, at = time } = {}) =>
  verify(decodeMessage(bytes), key, mac, at);
const flipped = (bytes: Buffer, index: number) => {
  const copy = Buffer.from(bytes);
  copy[index] = (copy[index] ?? 0) ^ 1;
  return copy;
};

describe('the signature of a response', () => {
  test('is verified, also at the ends of the permitted time', () => {
    for (const at of [time - 300, time, time + 300]) expect(verified(answer, { at })).toEqual({ result: 'verified' });
  });

  test.each([
    { why: 'it does not match', when: 'the result is changed', result: () => verified(flipped(answer, 3)) },
    {
      why: 'it does not match',
      when: 'it answers another request',
      result: () => verified(answer, { mac: flipped(request.mac, 0) }),
    },
    {
      why: 'it is of another key or algorithm',
      when: 'it has the name of another key',
      result: () => verified(answer, { key: { ...givenKey, name: 'other' } }),
    },
    {
      why: 'it does not match',
      when: 'the secret is another',
      result: () => verified(answer, { key: { ...other, name: givenKey.name } }),
    },
    {
      why: 'it is truncated',
      when: 'it has half of its bytes',
      result: () => verified(signedAnswer(request, { time, macLength: 16 })),
    },
    {
      why: 'it is truncated',
      when: 'it has no bytes and no error',
      result: () => verified(signedAnswer(request, { time, macLength: 0 })),
    },
    {
      why: 'its time differs by more than 300 s',
      when: 'it is old',
      result: () => verified(answer, { at: time + 301 }),
    },
    {
      why: 'its time differs by more than 300 s',
      when: 'it is of the future',
      result: () => verified(answer, { at: time - 301 }),
    },
    {
      why: 'it reports the unknown error 99',
      when: 'it has an error that is not known',
      result: () => verified(signedAnswer(request, { time, error: 99 })),
    },
  ])('is invalid ($why), where $when', ({ why, result }) => {
    expect(result()).toEqual({ result: 'invalid', why });
  });

  test('is missing', () => {
    expect(verified(plain)).toEqual({ result: 'unsigned' });
  });

  test('reports BADTRUNC', () => {
    expect(verified(signedAnswer(request, { time, error: 22 }))).toEqual({ result: 'rejected', error: 'BADTRUNC' });
  });

  test('is refused where it is not the last record', () => {
    const { length } = plain;
    const record = answer.subarray(length);
    const twice = Buffer.concat([answer, record]);
    twice.writeUInt16BE(2, 10);
    expect(() => verified(twice)).toThrow(new MalformedMessageError('the signature is not the last record'));
    const asAnswer = Buffer.from(answer);
    asAnswer.writeUInt16BE(1, 6);
    asAnswer.writeUInt16BE(0, 10);
    expect(() => verified(asAnswer)).toThrow(new MalformedMessageError('the signature is not the last record'));
  });
});
