import { describe, expect, test } from 'vitest';
import {
  type EtcdKeyCondition,
  type EtcdKeysAnswer,
  type EtcdKeysQuestion,
  type EtcdKeysRequest,
  etcdKeys,
} from '../../../../operator/controllers/publication/ports/etcd.js';
import type { Perform, Provided, Source } from '../../../../operator/runtime/ports/external-port.js';
import { portContract } from '../../../../operator/testing/index.js';

/** An etcd, and the source of its keys. */
export interface ContractEtcd {
  readonly endpoints: readonly string[];
  readonly provided: Provided;
}

export const contractKey = '/skydns/com/example/billing';
const ownerKey = `/reconstruct.dev/owners${contractKey}`;
const records = { [`${contractKey}/a`]: '{"host":"192.0.2.1"}', [`${contractKey}/b`]: '{"host":"192.0.2.2"}' };
const free: EtcdKeyCondition = { key: ownerKey, is: 'absent' };
const owned = (value: string): EtcdKeyCondition => ({ key: ownerKey, is: 'equal', value });

/** What holds for each etcd. @param start one without keys */
export function etcdKeysContract(start: () => Promise<ContractEtcd>): void {
  const begin = async () => {
    const { provided, endpoints } = await start();
    const { signal } = new AbortController();
    const perform = provided.performer?.perform as Perform<EtcdKeysRequest>;
    const source = provided.source as unknown as Source<EtcdKeysQuestion, EtcdKeysAnswer>;
    return {
      ask: () => source({ endpoints, key: contractKey, ownerKey }, { signal }),
      send: (request: Omit<EtcdKeysRequest, 'endpoints'>) =>
        perform({ endpoints, ...request }, { signal, mayLeave: () => {} }),
    };
  };
  const refused = { kind: 'retryable', mayHaveEffect: false };

  test('has the key, those below it, and the owner, but no key that only starts with the same letters', async () => {
    const { ask, send } = await begin();
    const own = { [contractKey]: 'itself', ...records };
    await send({ requires: [free], put: { ...own, [ownerKey]: 'uid-1', [`${contractKey}2/a`]: 'other' } });
    expect(await ask()).toEqual({ values: own, owner: 'uid-1' });
  });

  test('gives keys that two want at one time to one of them', async () => {
    const { ask, send } = await begin();
    const wants = ['uid-1', 'uid-2'].map((uid) =>
      send({ requires: [free], put: { [`${contractKey}/${uid}`]: uid, [ownerKey]: uid } }),
    );
    const results = await Promise.allSettled(wants);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const { values, owner = '' } = await ask();
    expect(values).toEqual({ [`${contractKey}/${owner}`]: owner });
  });

  test('changes nothing of a stranger', async () => {
    const { ask, send } = await begin();
    await send({ requires: [free], put: { ...records, [ownerKey]: 'uid-1' } });
    const before = await ask();
    await expect(send({ requires: [free], put: { [ownerKey]: 'uid-2' } })).rejects.toMatchObject(refused);
    const deletion = { requires: [owned('uid-2')], delete: [...Object.keys(records), ownerKey] };
    await expect(send(deletion)).rejects.toMatchObject(refused);
    expect(await ask()).toEqual(before);
  });

  test('replaces and deletes keys of the owner in one step', async () => {
    const { ask, send } = await begin();
    await send({ requires: [free], put: { ...records, [ownerKey]: 'uid-1' } });
    const put = { [`${contractKey}/c`]: '{"host":"2001:db8::1"}' };
    await send({ requires: [owned('uid-1')], put, delete: [`${contractKey}/a`, `${contractKey}/missing`] });
    expect(await ask()).toEqual({ values: { [`${contractKey}/b`]: '{"host":"192.0.2.2"}', ...put }, owner: 'uid-1' });
    await send({ requires: [owned('uid-1')], delete: [`${contractKey}/b`, `${contractKey}/c`, ownerKey] });
    expect(await ask()).toEqual({ values: {} });
  });

  test('requires that a key that holds no record is free too', async () => {
    const { ask, send } = await begin();
    await send({ requires: [], put: { [`${contractKey}/a`]: 'by hand' } });
    const claim = {
      requires: [free, { key: `${contractKey}/a`, is: 'absent' } as const],
      put: { [ownerKey]: 'uid-1' },
    };
    await expect(send(claim)).rejects.toMatchObject(refused);
    expect(await ask()).toEqual({ values: { [`${contractKey}/a`]: 'by hand' } });
  });

  describe('as a port', async () => {
    const { endpoints } = await start();
    const contract = portContract({
      port: etcdKeys,
      start: async () => (await start()).provided,
      question: { endpoints, key: contractKey, ownerKey },
      before: { values: {} },
      request: { endpoints, requires: [], put: records },
      after: { values: records },
      refused: { endpoints, requires: [] },
    });
    for (const { name, holds } of contract) test(name, holds);
  });
}
