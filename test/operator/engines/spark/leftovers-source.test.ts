import { beforeEach, describe, expect, it } from 'vitest';
import type { Leftover, LeftoversAnswer } from '../../../../operator/controllers/spark/ports/leftovers.js';
import { spark } from '../../../../operator/engines/spark/index.js';
import { type Manifest, Pod } from '../../../../operator/index.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { MemoryCluster } from '../../../../operator/testing/index.js';

const options = { signal: new AbortController().signal, mayLeave: () => {} };

let memory: MemoryCluster;
beforeEach(() => {
  memory = new MemoryCluster();
});

async function executor(name: string): Promise<Leftover> {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'data' }, spec: {} } as Manifest;
  const { metadata } = await memory.apply(Pod, pod, { manager: 'spark' });
  return { name, uid: metadata.uid };
}

/** What the engine provides, over a cluster. */
function engine(cluster: Pick<Cluster, 'read' | 'remove'> = memory) {
  const [provided] = spark.open({ cluster }).provided;
  const { source, performer } = provided as unknown as {
    readonly source: (question: object, more: object) => Promise<LeftoversAnswer>;
    readonly performer: { readonly perform: (request: object, more: object) => Promise<void> };
  };
  return {
    left: async (executors: readonly Leftover[]) => (await source({ namespace: 'data', executors }, options)).left,
    delete: (executors: readonly Leftover[], more: object = {}) =>
      performer.perform({ namespace: 'data', executors }, { ...options, ...more }),
  };
}

describe('executors that a driver left', () => {
  it('are those that exist with the same UID', async () => {
    const [one, two] = [await executor('a'), await executor('b')];
    expect(await engine().left([one, { ...two, uid: 'another' }, { name: 'gone', uid: 'gone' }])).toEqual([one.uid]);
  });

  it('are deleted, and no Pod that has taken the name of one', async () => {
    const [one, two, three] = [await executor('a'), await executor('b'), await executor('c')];
    await engine().delete([one, { ...two, uid: 'another' }, { name: 'gone', uid: 'gone' }]);
    expect(await engine().left([one, two, three])).toEqual([two.uid, three.uid]);
  });

  it('are all tried before a failure is reported', async () => {
    const [one, two] = [await executor('a'), await executor('b')];
    const remove: Cluster['remove'] = (kind, name, seen, more) =>
      name.name === 'a' ? Promise.reject(new Error('the server is away')) : memory.remove(kind, name, seen, more);
    const cluster = { read: memory.read.bind(memory), remove };
    await expect(engine(cluster).delete([one, two])).rejects.toThrow('the server is away');
    expect(await engine().left([one, two])).toEqual([one.uid]);
  });

  it('are not deleted by an operator that is no longer the leader', async () => {
    const one = await executor('a');
    const mayLeave = () => {
      throw new Error('the term has ended');
    };
    const remove: Cluster['remove'] = async (kind, name, seen, more) => {
      more?.mayLeave?.();
      return memory.remove(kind, name, seen, more);
    };
    const cluster = { read: memory.read.bind(memory), remove };
    await expect(engine(cluster).delete([one], { mayLeave })).rejects.toThrow('the term has ended');
    expect(await engine().left([one])).toEqual([one.uid]);
  });

  it('are not known while the API server does not answer', async () => {
    const one = await executor('a');
    const read = () => Promise.reject(new Error('the server is away'));
    await expect(engine({ read, remove: memory.remove.bind(memory) }).left([one])).rejects.toThrow('is away');
  });
});
