import { describe, expect, test } from 'vitest';
import {
  dnsNames,
  type NamesAnswer,
  type NamesQuestion,
  type NamesRequest,
  type NamesUpdate,
  type RrsetName,
} from '../../../../operator/dns/dns-names.js';
import type { Perform, Source } from '../../../../operator/runtime/ports/external-port.js';
import { portContract } from '../../../../operator/testing/index.js';
import { contractZone } from './contract-zone.js';
import type { ContractServer } from './dns-records.contract.js';

const owner = 'heritage=reconstruct,reconstruct/owner=7';

/** The A record of a name, with the TXT record of its owner. The name must be free, or already have this owner. */
export function ownedName(label: string, values: readonly string[], known = false): NamesUpdate {
  const name = `${label}.${contractZone}`;
  const ownerName = `a-${name}`;
  return {
    requires: known
      ? [{ require: 'yxrrset', name: ownerName, type: 'TXT', values: [owner] }]
      : [
          { require: 'nxrrset', name: ownerName, type: 'TXT' },
          { require: 'nxrrset', name, type: 'A' },
          { require: 'nxrrset', name, type: 'CNAME' },
        ],
    changes: [
      { action: 'set', name, type: 'A', ttl: 30, values },
      { action: 'set', name: ownerName, type: 'TXT', ttl: 30, values: values.length > 0 ? [owner] : [] },
    ],
  };
}

/** The records of a name that belongs to somebody else. */
export const foreignName = (label: string): NamesUpdate => ({
  changes: [{ action: 'set', name: `${label}.${contractZone}`, type: 'A', ttl: 30, values: ['192.0.2.99'] }],
});

const address = (label: string): RrsetName => ({ name: `${label}.${contractZone}`, type: 'A' });
const ownerOf = (label: string): RrsetName => ({ name: `a-${label}.${contractZone}`, type: 'TXT' });

/** What holds for each server of names. @param start a server whose zone has none of the names of the contract */
export function dnsNamesContract(start: () => Promise<ContractServer>): void {
  const begin = async () => {
    const { provided, ...at } = await start();
    const { signal } = new AbortController();
    const perform = provided.performer?.perform as Perform<NamesRequest>;
    const source = provided.source as unknown as Source<NamesQuestion, NamesAnswer>;
    return {
      ask: async (...rrsets: readonly RrsetName[]) =>
        (await source({ ...at, zone: contractZone, rrsets }, { signal })).rrsets,
      send: (...updates: readonly NamesUpdate[]) =>
        perform({ ...at, zone: contractZone, updates }, { signal, mayLeave: () => {} }),
    };
  };

  test('answers in the order of the question, each name for itself', async () => {
    const { ask, send } = await begin();
    await send(ownedName('n1', ['192.0.2.1', '192.0.2.2']), ownedName('n2', ['192.0.2.3']));
    expect(await ask(address('n2'), address('n3'), ownerOf('n1'), address('n1'))).toEqual([
      { values: ['192.0.2.3'], ttl: 30 },
      { values: [] },
      { values: [owner], ttl: 30 },
      { values: ['192.0.2.1', '192.0.2.2'], ttl: 30 },
    ]);
  });

  test('refuses the update of a foreign name alone, and applies the others of the request', async () => {
    const { ask, send } = await begin();
    await send(foreignName('n2'));
    // Whether the call fails depends on the server. Its effect does not.
    await send(...['n1', 'n2', 'n3'].map((label) => ownedName(label, ['192.0.2.1']))).catch(() => {});
    expect(await ask(address('n1'), address('n2'), ownerOf('n2'), address('n3'))).toEqual([
      { values: ['192.0.2.1'], ttl: 30 },
      { values: ['192.0.2.99'], ttl: 30 },
      { values: [] },
      { values: ['192.0.2.1'], ttl: 30 },
    ]);
  });

  test('reports a refused request as one to be sent anew after a look', async () => {
    const { ask, send } = await begin();
    await send(foreignName('n1'));
    await expect(send(ownedName('n1', ['192.0.2.1']))).rejects.toMatchObject({
      ...{ kind: 'retryable', mayHaveEffect: false },
      message: expect.stringMatching(/^n1\.example\.com: /),
    });
    expect(await ask(address('n1'))).toEqual([{ values: ['192.0.2.99'], ttl: 30 }]);
  });

  test('gives a name that two want at one time to one of them', async () => {
    const { ask, send } = await begin();
    const wants = ['192.0.2.1', '192.0.2.2'].map((value) => send(ownedName('n1', [value])));
    const results = await Promise.allSettled(wants);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const winner = results.findIndex(({ status }) => status === 'fulfilled');
    expect(await ask(address('n1'))).toEqual([{ values: [`192.0.2.${winner + 1}`], ttl: 30 }]);
  });

  test('applies an update that requires what an earlier one of the request writes', async () => {
    const { ask, send } = await begin();
    await send(
      ownedName('n1', ['192.0.2.1']),
      ownedName('n1', ['192.0.2.2'], true),
      ownedName('n2', ['192.0.2.3']),
      ownedName('n1', [], true),
    );
    expect(await ask(address('n1'), ownerOf('n1'), address('n2'))).toEqual([
      { values: [] },
      { values: [] },
      { values: ['192.0.2.3'], ttl: 30 },
    ]);
  });

  describe('as a port', async () => {
    const { provided: _, ...at } = await start();
    const request = (zone: string, updates: readonly NamesUpdate[]) => ({ ...at, zone, updates });
    const contract = portContract({
      port: dnsNames,
      start: async () => (await start()).provided,
      question: { ...at, zone: contractZone, rrsets: [address('n1')] },
      before: { rrsets: [{ values: [] }] },
      request: request(contractZone, [foreignName('n1')]),
      after: { rrsets: [{ values: ['192.0.2.99'], ttl: 30 }] },
      refused: request('example.org', [
        { changes: [{ action: 'set', name: 'a.example.org', type: 'A', ttl: 5, values: ['192.0.2.1'] }] },
      ]),
    });
    for (const { name, holds } of contract) test(name, holds);
  });
}
