import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeMessage, valuesOf } from '../../../../operator/engines/dns/message.js';
import { recordTypes } from '../../../../operator/engines/dns/records.js';
import { verify } from '../../../../operator/engines/dns/tsig.js';
import { MalformedMessageError } from '../../../../operator/engines/dns/wire.js';
import { givenKey } from './given-server.js';

/** An answer of BIND to a query of the addresses of an alias in its zone: CNAME, A, and the compressed names of both. */
const aliasAnswer = Buffer.from(
  [
    '000784000001000200000000',
    '03777777076578616d706c6503636f6d0000010001',
    'c00c000500010000003c00040161c010',
    'c02d00010001000000050004c0000201',
  ].join(''),
  'hex',
);

describe('a message', () => {
  test('has its records by name and type', () => {
    const message = decodeMessage(aliasAnswer);
    expect(message).toMatchObject({ id: 7, isResponse: true, isAuthoritative: true, isTruncated: false, rcode: 0 });
    expect(valuesOf(message.answers, 'www.example.com', 'CNAME')).toEqual(['a.example.com']);
    expect(valuesOf(message.answers, 'a.example.com', 'A')).toEqual(['192.0.2.1']);
    expect(valuesOf(message.answers, 'www.example.com', 'A')).toEqual([]);
  });

  test.each([
    { when: 'the header is cut', bytes: aliasAnswer.subarray(0, 11) },
    { when: 'a record is missing', bytes: aliasAnswer.subarray(0, -16) },
    { when: 'the data of a record are cut', bytes: aliasAnswer.subarray(0, -1) },
    { when: 'bytes are left', bytes: Buffer.concat([aliasAnswer, Buffer.of(0)]) },
    { when: 'it promises 65535 records', bytes: Buffer.from('000784000000ffff00000000', 'hex') },
  ])('is refused, where $when', ({ bytes }) => {
    expect(() => decodeMessage(bytes)).toThrow(MalformedMessageError);
  });
});

/** Reads all of a message as the client does. It must end, and reject only as a message that is malformed. */
function readAll(bytes: Buffer): void {
  try {
    const message = decodeMessage(bytes);
    verify(message, givenKey, Buffer.alloc(32), 0);
    for (const { name } of message.answers) for (const type of recordTypes) valuesOf(message.answers, name, type);
  } catch (error) {
    expect(error).toBeInstanceOf(MalformedMessageError);
  }
}

describe('hostile bytes', () => {
  const captures = JSON.parse(readFileSync(join(import.meta.dirname, 'bind-responses.json'), 'utf8')) as readonly {
    readonly hex: string;
  }[];
  const messages = [aliasAnswer, ...captures.map(({ hex }) => Buffer.from(hex, 'hex'))];

  test('are read or refused, whatever they are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => readAll(Buffer.from(bytes))),
      { numRuns: 500 },
    );
  });

  test('are read or refused, where they are those of a server with some changed or cut', () => {
    const change = fc.tuple(fc.nat(300), fc.nat(255));
    fc.assert(
      fc.property(
        fc.constantFrom(...messages),
        fc.array(change, { maxLength: 4 }),
        fc.nat(300),
        (message, changes, cut) => {
          const bytes = Buffer.from(message);
          for (const [at, value] of changes) bytes[at % bytes.length] = value;
          readAll(cut < bytes.length ? bytes.subarray(0, cut) : bytes);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('of 64 KiB that are nothing but pointers end as well', () => {
    const pointers = Buffer.alloc(65_535, Buffer.of(0xc0, 0x0c));
    Buffer.from('000784000000ffff00000000', 'hex').copy(pointers);
    expect(() => decodeMessage(pointers)).toThrow(MalformedMessageError);
  });
});
