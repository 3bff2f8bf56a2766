import { expect, it } from 'vitest';
import { integer, objectId, octets, setOf } from '../../../operator/certificates/der.js';

it.each([
  ['00', integer(0), '020100'],
  ['127', integer(127), '02017f'],
  ['128, whose first bit is not the sign', integer(128), '02020080'],
  ['256', integer(256), '02020100'],
  [
    'an identifier with arcs of several bytes',
    objectId('2.16.840.1.113894.746875.1.1'),
    '060c6086480186f966adca7b0101',
  ],
  ['content of 127 bytes', octets(Buffer.alloc(127)).subarray(0, 2), '047f'],
  ['content of 128 bytes', octets(Buffer.alloc(128)).subarray(0, 3), '048180'],
  ['content of 65,536 bytes', octets(Buffer.alloc(65_536)).subarray(0, 5), '0483010000'],
  ['a set in the order of its bytes', setOf(integer(2), integer(1)), '3106020101020102'],
])('encodes %s', (_, found, expected) => {
  expect(found.toString('hex')).toBe(expected);
});
