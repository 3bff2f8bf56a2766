import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RecordType } from '../../../../operator/dns/dns-records.js';
import { readValue, recordTypes } from '../../../../operator/engines/dns/records.js';
import { textStrings } from '../../../../operator/engines/dns/texts.js';
import { canonicalValue } from '../../../../operator/engines/dns/update.js';
import { InvalidInputError, MalformedMessageError, Reader } from '../../../../operator/engines/dns/wire.js';

const x = (count: number) => 'x'.repeat(count);

describe('a value', () => {
  test.each<{ type: RecordType; value: string; canonical?: string }>([
    { type: 'A', value: '192.0.2.1' },
    { type: 'AAAA', value: '2001:DB8:0:0:0:0:0:1', canonical: '2001:db8::1' },
    { type: 'AAAA', value: '::' },
    { type: 'AAAA', value: '1::' },
    { type: 'AAAA', value: '1:2:3:4:5:6:7:8' },
    { type: 'AAAA', value: '::ffff:192.0.2.1', canonical: '::ffff:c000:201' },
    { type: 'CNAME', value: 'Web.Example.com.', canonical: 'web.example.com' },
    { type: 'SRV', value: '10 50 0443 Web.example.com.', canonical: '10 50 443 web.example.com' },
    { type: 'SRV', value: '0 0 0 .' },
    { type: 'TXT', value: '' },
    { type: 'TXT', value: 'plain "text" with \\ and ü' },
    { type: 'TXT', value: x(255) },
    { type: 'TXT', value: x(600) },
    { type: 'TXT', value: '"one" "two"' },
    { type: 'TXT', value: '"one"', canonical: 'one' },
    { type: 'TXT', value: `"${x(255)}" "${x(45)}"`, canonical: x(300) },
    { type: 'TXT', value: `"${x(255)}" ""` },
    { type: 'TXT', value: '"\\"quoted\\""' },
    { type: 'TXT', value: '"a\\\\\\065\\255" ""', canonical: '"a\\\\A\\255" ""' },
    { type: 'TXT', value: '"ü" ""', canonical: '"\\195\\188" ""' },
  ])('of type $type is read as it is written: $value', ({ type, value, canonical = value }) => {
    expect(canonicalValue(type, value)).toBe(canonical);
    expect(canonicalValue(type, canonical)).toBe(canonical);
  });

  test.each<{ type: RecordType; value: string; must: string }>([
    { type: 'A', value: '192.0.2', must: 'must be an IPv4 address, for example 192.0.2.1' },
    { type: 'A', value: '2001:db8::1', must: 'must be an IPv4 address, for example 192.0.2.1' },
    { type: 'AAAA', value: '192.0.2.1', must: 'must be an IPv6 address, for example 2001:db8::1' },
    { type: 'AAAA', value: 'fe80::1%eth0', must: 'must be an IPv6 address, for example 2001:db8::1' },
    { type: 'AAAA', value: '1:2:3:4:5:6:7:8:9', must: 'must be an IPv6 address, for example 2001:db8::1' },
    { type: 'CNAME', value: 'a..b', must: 'must not have an empty label' },
    {
      type: 'SRV',
      value: '10 65536 443 a',
      must: 'must be a priority, a weight, a port and a target, for example 10 50 443 web.example.com',
    },
    {
      type: 'SRV',
      value: '10 443 a',
      must: 'must be a priority, a weight, a port and a target, for example 10 50 443 web.example.com',
    },
    { type: 'TXT', value: '"a', must: 'must be strings in quotes, with \\" for a quote in a string' },
    { type: 'TXT', value: '"a" b', must: 'must be strings in quotes, with \\" for a quote in a string' },
    { type: 'TXT', value: '"a""b"', must: 'must be strings in quotes, with \\" for a quote in a string' },
    { type: 'TXT', value: '"\\300"', must: 'must have escapes from \\000 to \\255' },
    { type: 'TXT', value: `"${x(256)}"`, must: 'must have at most 255 bytes in each quoted string' },
    { type: 'TXT', value: '\ud800', must: 'must be text without single surrogates' },
  ])('of type $type is refused: $value', ({ type, value, must }) => {
    expect(() => canonicalValue(type, value)).toThrow(
      new InvalidInputError(`values: Invalid value: ${JSON.stringify(value)}: ${must}`),
    );
  });

  test('of another type is refused, also of one that each object has', () => {
    for (const type of ['MX', 'toString'])
      expect(() => canonicalValue(type as RecordType, 'x')).toThrow(
        new InvalidInputError(`type: Unsupported value: "${type}": must be A, CNAME, TXT, AAAA, SRV`),
      );
  });
});

describe('the strings of a text', () => {
  test.each([
    { length: 255, strings: [255] },
    { length: 256, strings: [255, 1] },
    { length: 510, strings: [255, 255] },
  ])('have at most 255 bytes: $length are $strings', ({ length, strings }) => {
    expect(textStrings(x(length)).map((string) => string.length)).toEqual(strings);
  });
});

describe('the bytes of a value', () => {
  test.each<{ type: RecordType; hex: string; why: string }>([
    { type: 'A', hex: 'c00002', why: 'the message ends within 4 bytes at 0' },
    { type: 'A', hex: 'c000020101', why: 'the A record has 1 bytes too many' },
    { type: 'TXT', hex: '', why: 'the message ends within 1 bytes at 0' },
    { type: 'TXT', hex: '0261', why: 'the message ends within 2 bytes at 1' },
    { type: 'SRV', hex: '000000000000', why: 'the message ends within 1 bytes at 6' },
  ])('of type $type are refused: $why', ({ type, hex, why }) => {
    expect(() => readValue(new Reader(Buffer.from(hex, 'hex')), type)).toThrow(new MalformedMessageError(why));
  });

  test('are those of the canonical text, for each type and all bytes that are a value', () => {
    fc.assert(
      fc.property(fc.constantFrom(...recordTypes), fc.uint8Array({ maxLength: 40 }), (type, bytes) => {
        try {
          const text = readValue(new Reader(Buffer.from(bytes)), type);
          expect(canonicalValue(type, text)).toBe(text);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedMessageError);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('of a text with any strings are kept', () => {
    const string = fc.uint8Array({ maxLength: 255, size: 'max' });
    fc.assert(
      fc.property(fc.array(string, { minLength: 1, maxLength: 3 }), (strings) => {
        const bytes = Buffer.from(strings.flatMap((one) => [one.length, ...one]));
        const text = readValue(new Reader(bytes), 'TXT');
        expect(textStrings(text)).toEqual(strings.map((one) => Buffer.from(one)));
      }),
      { numRuns: 20 },
    );
  });
});
