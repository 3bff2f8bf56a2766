import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalName, nameInZone, readName, writeName } from '../../../../operator/engines/dns/names.js';
import { InvalidInputError, MalformedMessageError, Reader, Writer } from '../../../../operator/engines/dns/wire.js';

const label63 = 'a'.repeat(63);
/** 255 bytes on the wire: three labels of 63 bytes, one of 61, and the root. */
const name255 = [label63, label63, label63, 'a'.repeat(61)].join('.');

describe('a name', () => {
  test.each([
    { name: 'Example.COM', canonical: 'example.com', when: 'it has upper case' },
    { name: 'example.com.', canonical: 'example.com', when: 'it has a final dot' },
    { name: '.', canonical: '.', when: 'it is the root' },
    { name: '*._tcp.example.com', canonical: '*._tcp.example.com', when: 'it has a wildcard and an underscore' },
    { name: 'a\\.b.example.com', canonical: 'a\\.b.example.com', when: 'a label contains a dot' },
    { name: 'a\\046b.example.com', canonical: 'a\\.b.example.com', when: 'a dot is written as a number' },
    { name: '\\097\\-\\255', canonical: 'a-\\255', when: 'an escape is not required' },
    { name: 'a b', canonical: 'a\\032b', when: 'it has a space' },
    { name: 'a\\\\', canonical: 'a\\\\', when: 'it ends with an escaped backslash' },
    { name: name255, canonical: name255, when: 'it has 255 bytes' },
  ])('is $canonical, where $when', ({ name, canonical }) => {
    expect(canonicalName(name, 'name')).toBe(canonical);
    expect(canonicalName(canonical, 'name')).toBe(canonical);
  });

  test.each([
    { name: '', must: 'must not have an empty label' },
    { name: '..', must: 'must not have an empty label' },
    { name: 'a..b', must: 'must not have an empty label' },
    { name: '.a', must: 'must not have an empty label' },
    { name: `a${label63}.b`, must: 'must have at most 63 bytes in each label' },
    { name: `${name255}a`, must: 'must have at most 255 bytes with the lengths of its labels' },
    { name: 'bücher.example', must: 'must be ASCII; write an internationalized name in its xn-- form' },
    { name: 'a\\', must: 'must have only escapes from \\000 to \\255, or of one character that is no digit' },
    { name: 'a\\1b', must: 'must have only escapes from \\000 to \\255, or of one character that is no digit' },
    { name: 'a\\256', must: 'must have only escapes from \\000 to \\255, or of one character that is no digit' },
  ])('is refused: $must', ({ name, must }) => {
    expect(() => canonicalName(name, 'zone')).toThrow(
      new InvalidInputError(`zone: Invalid value: ${JSON.stringify(name)}: ${must}`),
    );
  });

  test.each([
    { name: 'A.example.com', zone: 'example.com.', inZone: 'a.example.com' },
    { name: 'example.com', zone: 'example.com', inZone: 'example.com' },
    { name: 'a.example.com', zone: '.', inZone: 'a.example.com' },
    { name: 'com', zone: 'example.com', inZone: undefined },
    { name: 'aexample.com', zone: 'example.com', inZone: undefined },
    { name: 'a\\.example.com', zone: 'example.com', inZone: undefined },
  ])('$name is in the zone $zone: $inZone', ({ name, zone, inZone }) => {
    if (inZone !== undefined) expect(nameInZone(name, zone)).toBe(inZone);
    else expect(() => nameInZone(name, zone)).toThrow(/must be in the zone example\.com$/);
  });
});

const written = (...names: readonly string[]) => {
  const writer = new Writer();
  for (const name of names) writeName(writer, name);
  return writer.bytes;
};

describe('the bytes of a name', () => {
  test('point to the longest end that an earlier name has', () => {
    const bytes = written('b.example.com', 'a.b.example.com', 'example.com');
    expect(bytes.toString('hex')).toBe(
      `${Buffer.from('\x01b\x07example\x03com\0').toString('hex')}${Buffer.from('\x01a').toString('hex')}c000c002`,
    );
    const reader = new Reader(bytes);
    expect([readName(reader), readName(reader), readName(reader)]).toEqual([
      'b.example.com',
      'a.b.example.com',
      'example.com',
    ]);
    reader.finish('the message');
  });

  test('never point beyond the first 16 KiB, where pointers do not reach', () => {
    const writer = new Writer();
    writer.put(Buffer.alloc(0x4000));
    for (const name of ['example.com', 'example.com']) writeName(writer, name);
    const reader = new Reader(writer.bytes, 0x4000);
    expect([readName(reader), readName(reader)]).toEqual(['example.com', 'example.com']);
  });

  test('read as the name that was written, for any bytes in its labels', () => {
    const label = fc.uint8Array({ minLength: 1, maxLength: 63 });
    fc.assert(
      fc.property(fc.array(label, { maxLength: 3 }), (labels) => {
        const parts = labels.map((bytes) => [bytes.length, ...bytes]);
        const name = readName(new Reader(Buffer.from([...parts.flat(), 0])));
        expect(readName(new Reader(written(name)))).toBe(name);
      }),
      { numRuns: 50 },
    );
  });

  test.each([
    { hex: '', why: 'the message ends within 1 bytes at 0', when: 'there are none' },
    { hex: '0361', why: 'the message ends within 3 bytes at 1', when: 'a label is cut' },
    { hex: '0161', why: 'the message ends within 1 bytes at 2', when: 'the root is missing' },
    { hex: 'c0', why: 'the message ends within 1 bytes at 1', when: 'a pointer is cut' },
    { hex: 'c000', why: 'the name at 0 does not point backwards', when: 'a pointer leads to itself' },
    { hex: 'c00200', why: 'the name at 0 does not point backwards', when: 'a pointer leads forwards' },
    { hex: '4000', why: 'the name at 0 has a label of unknown type', when: 'a label has a reserved type' },
    {
      hex: `${'3f'.padEnd(128, '61').repeat(4)}00`,
      why: 'the name at 0 has more than 255 bytes',
      when: 'there are too many',
    },
  ])('are refused, where $when', ({ hex, why }) => {
    expect(() => readName(new Reader(Buffer.from(hex, 'hex')))).toThrow(new MalformedMessageError(why));
  });

  test.each([
    { last: 61, bytes: 255, isName: true },
    { last: 62, bytes: 256, isName: false },
  ])('are a name, where they are $bytes: $isName', ({ last, isName }) => {
    const labels = [63, 63, 63, last].map((length) => Buffer.from([length, ...Array(length).fill(0x61)]));
    const read = () => readName(new Reader(Buffer.concat([...labels, Buffer.of(0)])));
    if (isName) expect(read()).toHaveLength(253);
    else expect(read).toThrow(new MalformedMessageError('the name at 0 has more than 255 bytes'));
  });

  test('are refused, where two pointers lead to each other', () => {
    expect(() => readName(new Reader(Buffer.from('c002c000', 'hex'), 2))).toThrow(/does not point backwards/);
  });
});
