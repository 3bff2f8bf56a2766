import { describe, expect, it } from 'vitest';
import type { RolloutRequest, WorkloadRef } from '../../../../operator/consumers/workloads.js';
import { workloadsFrom } from '../../../../operator/engines/consumers/workloads-source.js';
import { DaemonSet, Deployment, type ObjectKind, StatefulSet } from '../../../../operator/runtime/index.js';
import type { Perform, Source } from '../../../../operator/runtime/ports/external-port.js';
import { MemoryCluster } from '../../../../operator/testing/index.js';
import { FakeClock } from '../../fake-clock.js';

const kinds: Record<WorkloadRef['kind'], ObjectKind> = { Deployment, StatefulSet, DaemonSet };
const namespace = 'shop';
const annotation = 'secret-hash.reconstruct.dev/orders-login';
const options = { signal: new AbortController().signal, mayLeave: () => {} };

async function given(template: object = { metadata: { annotations: { own: '1' } } }) {
  const memory = new MemoryCluster();
  const clock = new FakeClock();
  const create = (kind: WorkloadRef['kind'], name: string) =>
    memory.create(
      kinds[kind],
      { apiVersion: 'apps/v1', kind, metadata: { name, namespace }, spec: { template } } as never,
      { manager: 'somebody' },
    );
  const { source, performer } = workloadsFrom(memory, clock);
  const ask = source as Source<unknown, unknown>;
  const perform = performer?.perform as Perform<RolloutRequest>;
  const annotations = async (kind: WorkloadRef['kind'], name: string) => {
    const live = await memory.read(kinds[kind], { namespace, name });
    const { spec } = live as unknown as { spec: { template: { metadata?: { annotations?: object } } } };
    return spec.template.metadata?.annotations;
  };
  /** Sends requests at one time, and lets the time in which they are gathered pass. */
  const roll = async (...requests: readonly RolloutRequest[]) => {
    memory.forgetWrites();
    const sent = Promise.allSettled(requests.map((request) => perform(request, options)));
    await clock.advance(1_000);
    return sent;
  };
  return { memory, create, ask, roll, annotations };
}

const request = (uid: string, change: Partial<RolloutRequest> = {}): RolloutRequest => ({
  ...{ namespace, annotation, hash: 'new', workloads: [{ kind: 'Deployment', name: 'shop', uid }] },
  ...change,
});

describe('line 8: a rollout', () => {
  it.each([
    { template: {}, kept: {} },
    { template: { metadata: { labels: { app: 'shop' } } }, kept: {} },
    { template: { metadata: { annotations: { own: '1' } } }, kept: { own: '1' } },
  ])('annotates the Pod template $template, and keeps what it has', async ({ template, kept }) => {
    const { create, roll, annotations } = await given(template);
    for (const kind of ['Deployment', 'StatefulSet', 'DaemonSet'] as const) {
      const { uid } = (await create(kind, 'shop')).metadata;
      await roll(request(uid, { workloads: [{ kind, name: 'shop', uid }] }));
      expect(await annotations(kind, 'shop')).toEqual({ ...kept, [annotation]: 'new' });
    }
  });

  it('is one patch for all Secrets that change within a second', async () => {
    const { memory, create, roll, annotations } = await given();
    const { uid } = (await create('Deployment', 'shop')).metadata;
    const other = 'secret-hash.reconstruct.dev/shop-tls';
    await roll(request(uid), request(uid, { annotation: other, hash: 'renewed' }));
    expect(await annotations('Deployment', 'shop')).toEqual({ own: '1', [annotation]: 'new', [other]: 'renewed' });
    expect(memory.writes).toHaveLength(1);
  });

  it('refuses a workload that another one has replaced, and rolls the others', async () => {
    const { create, roll, annotations } = await given();
    await create('Deployment', 'shop');
    const { uid } = (await create('DaemonSet', 'agent')).metadata;
    const [result] = await roll(
      request('', {
        workloads: [
          { kind: 'Deployment', name: 'shop', uid: 'earlier' },
          { kind: 'DaemonSet', name: 'agent', uid },
        ],
      }),
    );
    expect(result).toMatchObject({
      status: 'rejected',
      reason: { kind: 'terminal', message: 'Deployment shop was replaced meanwhile' },
    });
    expect(await annotations('Deployment', 'shop')).toEqual({ own: '1' });
    expect(await annotations('DaemonSet', 'agent')).toEqual({ own: '1', [annotation]: 'new' });
  });
});

describe('line 8: the states of workloads', () => {
  it('are in the order of the question, with the UID of each that exists', async () => {
    const { create, ask } = await given();
    const { uid } = (await create('Deployment', 'shop')).metadata;
    const workloads = [
      { kind: 'StatefulSet', name: 'lost', restarts: true },
      { kind: 'Deployment', name: 'shop', restarts: true },
    ];
    expect(await ask({ namespace, workloads, annotation, hash: 'new' }, options)).toEqual({
      hash: 'new',
      states: [
        { kind: 'StatefulSet', name: 'lost', phase: 'Missing' },
        { kind: 'Deployment', name: 'shop', uid, phase: 'Outdated' },
      ],
    });
  });
});
