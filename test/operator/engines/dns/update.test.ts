import { describe, expect, test } from 'vitest';
import type { Prerequisite, RecordChange } from '../../../../operator/dns/dns-records.js';
import { encodeUpdate } from '../../../../operator/engines/dns/update.js';
import { InvalidInputError } from '../../../../operator/engines/dns/wire.js';

const add = { action: 'add', name: 'a.example.com', type: 'A', ttl: 5, values: ['192.0.2.1'] } as const;
const encode = (changes: readonly RecordChange[], requires: readonly Prerequisite[] = []) =>
  encodeUpdate({ zone: 'example.com', requires, changes }, 1);

describe('an update', () => {
  test.each<{ why: string; change: object }>([
    {
      why: 'name: Invalid value: "a.example.net": must be in the zone example.com',
      change: { ...add, name: 'a.example.net' },
    },
    {
      why: 'ttl: Invalid value: -1: must be an integer from 0 to 2147483647 seconds',
      change: { ...add, ttl: -1 },
    },
    {
      why: 'ttl: Invalid value: 2147483648: must be an integer from 0 to 2147483647 seconds',
      change: { ...add, ttl: 2 ** 31 },
    },
    {
      why: 'ttl: Invalid value: 1.5: must be an integer from 0 to 2147483647 seconds',
      change: { ...add, ttl: 1.5 },
    },
    { why: 'values: Required value: must have at least one', change: { ...add, values: [] } },
    {
      why: 'values: Required value: must have at least one',
      change: { action: 'remove', name: 'example.com', type: 'A', values: [] },
    },
    {
      why: 'values: Too many: 2: must have at most 1 for a CNAME',
      change: { ...add, action: 'set', type: 'CNAME', values: ['b.example.com', 'c.example.com'] },
    },
    {
      why: 'values: Invalid value: "b": must be an IPv4 address, for example 192.0.2.1',
      change: { action: 'remove', name: 'example.com', type: 'A', values: ['b'] },
    },
    { why: 'action: Unsupported value: "delete": must be set, add, remove', change: { ...add, action: 'delete' } },
    {
      why: 'type: Unsupported value: "MX": must be A, CNAME, TXT, AAAA, SRV',
      change: { ...add, type: 'MX', action: 'set', values: [] },
    },
  ])('is refused: $why', ({ why, change }) => {
    expect(() => encode([change as RecordChange])).toThrow(new InvalidInputError(why));
  });

  test.each<{ why: string; prerequisite: object }>([
    {
      why: 'name: Invalid value: "example.net": must be in the zone example.com',
      prerequisite: { require: 'nxdomain', name: 'example.net' },
    },
    {
      why: 'values: Required value: must have at least one',
      prerequisite: { require: 'yxrrset', name: 'example.com', type: 'A', values: [] },
    },
    {
      why: 'require: Unsupported value: "none": must be nxdomain, yxdomain, nxrrset, yxrrset',
      prerequisite: { require: 'none', name: 'example.com' },
    },
  ])('is refused for a prerequisite: $why', ({ why, prerequisite }) => {
    expect(() => encode([add], [prerequisite as Prerequisite])).toThrow(new InvalidInputError(why));
  });

  test('is refused where it is longer than a message', () => {
    const values = Array.from({ length: 300 }, (_, index) => `${index}${'x'.repeat(250)}`);
    expect(() => encode([{ ...add, type: 'TXT', values }])).toThrow(
      /^changes: Too long: \d+ bytes: must have at most 64900$/,
    );
    expect(() => encode([{ ...add, type: 'TXT', values: ['x'.repeat(70_000)] }])).toThrow(/^changes: Too long/);
  });

  test('has room for 500 names', () => {
    const changes = Array.from({ length: 500 }, (_, index) => ({ ...add, name: `name-${index}.example.com` }));
    expect(encode(changes).length).toBeLessThan(20_000);
  });
});
