import { describe, expect, test } from 'vitest';
import {
  dnsRecords,
  type Prerequisite,
  type RecordChange,
  type RecordsAnswer,
  type RecordsQuestion,
  type RecordsRequest,
} from '../../../../operator/dns/dns-records.js';
import type { Perform, Provided, Source } from '../../../../operator/runtime/ports/external-port.js';
import { portContract } from '../../../../operator/testing/index.js';
import { contractZone } from './contract-zone.js';

/** A server and the source of its records. */
export interface ContractServer {
  readonly server: string;
  readonly port?: number;
  readonly provided: Provided;
}

/** One request after another, and what a question answers in the end. */
interface ContractCase {
  readonly when: string;
  readonly changes: readonly RecordChange[];
  readonly requires?: readonly Prerequisite[];
  readonly question: Pick<RecordsQuestion, 'name' | 'type'>;
  readonly before?: RecordsAnswer;
  readonly after: RecordsAnswer;
}

const challenge = '_acme-challenge.example.com';
const txt = (action: 'add' | 'set', values: readonly string[], ttl = 60) =>
  ({ action, name: challenge, type: 'TXT', ttl, values }) as const;
const long = `${'x'.repeat(300)} "ü"`;
const address = { action: 'set', name: 'a.example.com', type: 'A', ttl: 30, values: ['192.0.2.1'] } as const;
const alias = { action: 'set', name: 'w.example.com', type: 'CNAME', ttl: 30, values: ['a.example.com'] } as const;

const cases: readonly ContractCase[] = [
  {
    when: 'two values of one name are added by two requests',
    changes: [txt('add', ['one']), txt('add', ['two'])],
    question: { name: challenge, type: 'TXT' },
    after: { values: ['one', 'two'], ttl: 60 },
  },
  {
    when: 'one value is removed and the other stays',
    changes: [txt('add', ['one', 'two']), { action: 'remove', name: challenge, type: 'TXT', values: ['one', 'three'] }],
    question: { name: challenge, type: 'TXT' },
    after: { values: ['two'], ttl: 60 },
  },
  {
    when: 'the last value is removed',
    changes: [txt('add', ['one']), { action: 'remove', name: challenge, type: 'TXT', values: ['one'] }],
    question: { name: challenge, type: 'TXT' },
    after: { values: [] },
  },
  {
    when: 'an RRset is replaced, with another TTL',
    changes: [txt('set', ['one', 'two']), txt('set', ['three', 'two'], 5)],
    question: { name: challenge, type: 'TXT' },
    after: { values: ['three', 'two'], ttl: 5 },
  },
  {
    when: 'a value is added with another TTL, which becomes that of all',
    changes: [txt('set', ['one']), txt('add', ['two'], 5)],
    question: { name: challenge, type: 'TXT' },
    after: { values: ['one', 'two'], ttl: 5 },
  },
  {
    when: 'an RRset is deleted',
    changes: [txt('set', ['one', 'two']), txt('set', [])],
    question: { name: challenge, type: 'TXT' },
    after: { values: [] },
  },
  {
    when: 'texts are long, empty, or several strings',
    changes: [txt('add', [long, '', '"one" "two \\" \\200"'])],
    question: { name: challenge, type: 'TXT' },
    after: { values: ['', '"one" "two \\" \\200"', long], ttl: 60 },
  },
  {
    when: 'names and addresses are not in canonical form',
    changes: [{ ...address, name: 'A.Example.com.', type: 'AAAA', values: ['2001:DB8:0::1', '2001:db8::0:1'] }],
    question: { name: 'a.EXAMPLE.com', type: 'AAAA' },
    after: { values: ['2001:db8::1'], ttl: 30 },
  },
  {
    when: 'a name has an alias',
    changes: [address, alias],
    question: { name: 'w.example.com', type: 'CNAME' },
    after: { values: ['a.example.com'], ttl: 30, alias: 'a.example.com' },
  },
  {
    when: 'the address of an alias is asked for, which is that of another name',
    changes: [address, alias],
    question: { name: 'w.example.com', type: 'A' },
    after: { values: [], alias: 'a.example.com' },
  },
  {
    when: 'an address beside an alias is ignored without an error',
    changes: [alias, { ...address, name: 'w.example.com' }],
    question: { name: 'w.example.com', type: 'A' },
    after: { values: [], alias: 'a.example.com' },
  },
  {
    when: 'an alias beside an address is ignored without an error',
    changes: [address, { ...alias, name: 'a.example.com', values: ['b.example.com'] }],
    question: { name: 'a.example.com', type: 'A' },
    after: { values: ['192.0.2.1'], ttl: 30 },
  },
  {
    when: 'an alias is added to an alias, and replaces it',
    changes: [alias, { ...alias, action: 'add', values: ['b.example.com'] }],
    question: { name: 'w.example.com', type: 'CNAME' },
    after: { values: ['b.example.com'], ttl: 30, alias: 'b.example.com' },
  },
  {
    when: 'a service has a port and a target',
    changes: [
      { action: 'add', name: '_http._tcp.example.com', type: 'SRV', ttl: 5, values: ['10 50 443 A.example.com.'] },
    ],
    question: { name: '_http._tcp.example.com', type: 'SRV' },
    after: { values: ['10 50 443 a.example.com'], ttl: 5 },
  },
];

/** Prerequisites at a server where {@link address} is set. */
const prerequisites: readonly { readonly holds: boolean; readonly prerequisite: Prerequisite }[] = [
  { holds: true, prerequisite: { require: 'nxdomain', name: 'b.example.com' } },
  { holds: false, prerequisite: { require: 'nxdomain', name: 'a.example.com' } },
  { holds: true, prerequisite: { require: 'yxdomain', name: 'a.example.com' } },
  { holds: false, prerequisite: { require: 'yxdomain', name: 'b.example.com' } },
  { holds: true, prerequisite: { require: 'nxrrset', name: 'a.example.com', type: 'TXT' } },
  { holds: false, prerequisite: { require: 'nxrrset', name: 'a.example.com', type: 'A' } },
  { holds: true, prerequisite: { require: 'yxrrset', name: 'a.example.com', type: 'A' } },
  { holds: false, prerequisite: { require: 'yxrrset', name: 'a.example.com', type: 'TXT' } },
  { holds: true, prerequisite: { require: 'yxrrset', name: 'a.example.com', type: 'A', values: ['192.0.2.1'] } },
  { holds: false, prerequisite: { require: 'yxrrset', name: 'a.example.com', type: 'A', values: ['192.0.2.2'] } },
  {
    holds: false,
    prerequisite: { require: 'yxrrset', name: 'a.example.com', type: 'A', values: ['192.0.2.1', '192.0.2.2'] },
  },
];

/** What holds for each server of DNS records. @param start a server whose zone has none of the records of the contract */
export function dnsRecordsContract(start: () => Promise<ContractServer>): void {
  const begin = async () => {
    const { provided, ...at } = await start();
    const { signal } = new AbortController();
    const perform = provided.performer?.perform as Perform<RecordsRequest>;
    const source = provided.source as unknown as Source<RecordsQuestion, RecordsAnswer>;
    return {
      ask: (question: ContractCase['question']) => source({ ...at, zone: contractZone, ...question }, { signal }),
      send: (changes: readonly RecordChange[], requires: readonly Prerequisite[] = []) =>
        perform({ ...at, zone: contractZone, requires, changes }, { signal, mayLeave: () => {} }),
    };
  };

  test.each(cases)('changes and answers, where $when', async ({ changes, question, after }) => {
    const { ask, send } = await begin();
    expect(await ask(question)).toEqual({ values: [] });
    for (const change of changes) await send([change]);
    expect(await ask(question)).toEqual(after);
  });

  test.each(cases)('applies all changes in one request, where $when', async ({ changes, question, after }) => {
    const { ask, send } = await begin();
    await send(changes);
    expect(await ask(question)).toEqual(after);
  });

  test.each(prerequisites)('changes something where $prerequisite holds: $holds', async ({ holds, prerequisite }) => {
    const { ask, send } = await begin();
    await send([address]);
    const update = send([txt('add', ['one'])], [prerequisite]);
    if (holds) await update;
    else await expect(update).rejects.toMatchObject({ kind: 'terminal' });
    expect(await ask({ name: challenge, type: 'TXT' })).toEqual(holds ? { values: ['one'], ttl: 60 } : { values: [] });
  });

  describe('as a port', async () => {
    const { provided: _, ...at } = await start();
    const request = (zone: string, values: readonly string[]) => ({ ...at, zone, changes: [txt('add', values)] });
    const contract = portContract({
      port: dnsRecords,
      start: async () => (await start()).provided,
      question: { ...at, zone: contractZone, name: challenge, type: 'TXT' },
      before: { values: [] },
      request: request(contractZone, ['one', 'two']),
      after: { values: ['one', 'two'], ttl: 60 },
      refused: { ...request('example.org', ['one']), changes: [{ ...address, name: 'a.example.org' }] },
    });
    for (const { name, holds } of contract) test(name, holds);
  });
}
