import { describe, expect, it } from 'vitest';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { CutError, cutCluster } from '../../../../operator/testing/contract/trial/cut-cluster.js';
import { MemoryCluster } from '../../../../operator/testing/index.js';
import { configMap } from '../../../given.js';

describe('a process that dies at its second write', () => {
  it.each([
    { leaves: ['a'], when: 'that was not carried out', isCarriedOut: false },
    { leaves: ['a', 'b'], when: 'that was carried out', isCarriedOut: true },
  ])('leaves $leaves when $when, and writes no more', async ({ leaves, isCarriedOut }) => {
    const memory = new MemoryCluster();
    const cluster = cutCluster(memory, { write: 1, isCarriedOut });
    const write = (name: string) => cluster.create(ConfigMap, configMap(name), { manager: 'somebody' });
    await write('a');
    for (const name of ['b', 'c']) await expect(write(name)).rejects.toBeInstanceOf(CutError);
    const { items } = await cluster.list(ConfigMap, {});
    expect(items.map(({ metadata }) => metadata.name)).toEqual(leaves);
  });
});
