import { expect, test } from 'vitest';
import type { NamesUpdate } from '../../../../operator/dns/dns-names.js';
import { messagesOf } from '../../../../operator/engines/dns/update-messages.js';

const zone = 'example.com';
const set = (name: string, type: 'A' | 'CNAME' | 'TXT' = 'A') =>
  ({ action: 'set', name: `${name}.${zone}`, type, ttl: 30, values: ['v'] }) as const;
const free = (name: string, type: 'A' | 'CNAME' | 'TXT' = 'A') =>
  ({ require: 'nxrrset', name: `${name}.${zone}`, type }) as const;
const is = (name: string, value: string) =>
  ({ require: 'yxrrset', name: `${name}.${zone}`, type: 'TXT', values: [value] }) as const;
const unused = (name: string) => ({ require: 'nxdomain', name: `${name}.${zone}` }) as const;

/** The messages as the positions of their updates. */
const packed = (updates: readonly NamesUpdate[]) =>
  messagesOf(
    updates.map((update, at) => ({ update, at })),
    zone,
  ).map((message) => message.map(({ at }) => at));

test.each<{ when: string; updates: readonly NamesUpdate[]; messages: readonly (readonly number[])[] }>([
  { when: 'there is none', updates: [], messages: [] },
  {
    when: 'they concern several names',
    updates: ['a', 'b', 'c'].map((name) => ({ requires: [free(name)], changes: [set(name)] })),
    messages: [[0, 1, 2]],
  },
  {
    when: 'one changes two types of a name, and both require that it has no alias',
    updates: [
      { requires: [free('a'), free('a', 'CNAME')], changes: [set('a')] },
      { requires: [free('a', 'TXT'), free('a', 'CNAME')], changes: [set('a', 'TXT')] },
    ],
    messages: [[0, 1]],
  },
  {
    when: 'one requires what another has changed',
    updates: [{ changes: [set('a')] }, { requires: [free('A')], changes: [set('b')] }, { changes: [set('c')] }],
    messages: [[0, 2], [1]],
  },
  {
    when: 'one requires that a name is unused that another has used',
    updates: [{ changes: [set('a', 'TXT')] }, { requires: [unused('a')], changes: [set('a', 'CNAME')] }],
    messages: [[0], [1]],
  },
  {
    when: 'two compare the values of one RRset, which a server would add up',
    updates: [
      { requires: [is('o', 'one')], changes: [set('a')] },
      { requires: [is('o', 'two')], changes: [set('b')] },
    ],
    messages: [[0], [1]],
  },
  {
    when: 'two change one RRset, which stays in their order',
    updates: [{ changes: [set('a')] }, { requires: [free('a')], changes: [set('b')] }, { changes: [set('b')] }],
    messages: [[0], [1, 2]],
  },
  {
    when: 'there are more than 500',
    updates: Array.from({ length: 501 }, (_, index) => ({ changes: [set(`n${index}`)] })),
    messages: [Array.from({ length: 500 }, (_, index) => index), [500]],
  },
])('updates share messages without another effect, where $when', ({ updates, messages }) => {
  expect(packed(updates)).toEqual(messages);
});
