import { describe, expect, test } from 'vitest';
import {
  absoluteName,
  InvalidNameError,
  ownerName,
} from '../../../../../operator/controllers/publication/names/record-names.js';

const zone = 'corp.example.com';
const label = 'a'.repeat(63);
const longest = `${label}.${label}.${label}.${'b'.repeat(44)}`;

describe('a name of a target', () => {
  test.each([
    ['is relative to its zone', 'billing', zone, 'billing.corp.example.com'],
    ['is the zone itself', '@', zone, zone],
    ['is absolute if it ends with the zone', 'Billing.Corp.Example.com', zone, 'billing.corp.example.com'],
    ['is absolute with a final dot', 'billing.corp.example.com.', zone, 'billing.corp.example.com'],
    ['is the zone by its own name', 'corp.example.com', zone, zone],
    ['can be a wildcard', '*.shop', zone, '*.shop.corp.example.com'],
    ['becomes ASCII by IDNA', 'bücher', 'straße.example', 'xn--bcher-kva.xn--strae-oqa.example'],
    ['can have digits alone', '1', zone, '1.corp.example.com'],
    ['has labels of up to 63 bytes', label, zone, `${label}.${zone}`],
    ['has up to 253 bytes', longest, zone, `${longest}.${zone}`],
  ])('%s', (_, name, of, expected) => {
    expect(absoluteName(name, of)).toBe(expected);
  });

  test.each([
    ['a label is too long', `${label}a`, 'has 64 bytes: a label must have at most 63'],
    ['a label is too long in ASCII', 'ü'.repeat(60), 'a label must have at most 63'],
    ['it is too long', `${longest}b`, 'has 254 bytes: a name must have at most 253'],
    ['it is absolute in another zone', 'billing.example.org.', 'is not in the zone corp.example.com'],
    ['a label is empty', 'a..b', 'empty label'],
    ['its digits would be an address', '１.２', 'is no label by IDNA'],
  ])('is refused if %s', (_, name, message) => {
    expect(() => absoluteName(name, zone)).toThrow(InvalidNameError);
    expect(() => absoluteName(name, zone)).toThrow(message);
  });
});

describe('an owner record', () => {
  test.each([
    ['has the type as a prefix', 'billing.corp.example.com', 'A', 'a-billing.corp.example.com'],
    ['differs by type', 'billing.corp.example.com', 'AAAA', 'aaaa-billing.corp.example.com'],
    ['of the zone is in the zone', zone, 'A', 'a--apex.corp.example.com'],
    ['of a wildcard is no wildcard', '*.corp.example.com', 'CNAME', 'cname--any.corp.example.com'],
    [
      'of SRV records keeps their underscores',
      '_http._tcp.billing.corp.example.com',
      'SRV',
      'srv-_http._tcp.billing.corp.example.com',
    ],
  ])('%s', (_, name, type, expected) => {
    expect(ownerName(name, type, zone)).toBe(expected);
  });

  test.each([`${label}.${zone}`, `${longest}.${zone}`])('of a long name is short and in the zone: %s', (name) => {
    const found = ownerName(name, 'AAAA', zone);
    expect(found).toMatch(/^aaaa-[0-9a-f]{16}\.corp\.example\.com$/);
    expect(found).not.toBe(ownerName(name.replace(/^a/, 'c'), 'AAAA', zone));
  });
});
