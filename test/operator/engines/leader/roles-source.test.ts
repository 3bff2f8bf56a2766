import { describe, expect, it } from 'vitest';
import {
  leaderLabel,
  leaderRoles,
  type RolesAnswer,
  type RolesQuestion,
  type RolesRequest,
  roleAnnotation,
  termAnnotation,
} from '../../../../operator/controllers/leader/ports/roles.js';
import { rolesFrom } from '../../../../operator/engines/leader/roles-source.js';
import { Pod } from '../../../../operator/runtime/index.js';
import type { Perform, Source } from '../../../../operator/runtime/ports/external-port.js';
import { MemoryCluster, portContract } from '../../../../operator/testing/index.js';

const namespace = 'shop';

async function given(
  ...pods: readonly {
    readonly name: string;
    readonly labels?: object;
    readonly annotations?: object;
    readonly finalizers?: readonly string[];
  }[]
) {
  const memory = new MemoryCluster();
  const uids: Record<string, string> = {};
  for (const { name, ...more } of pods) {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace, ...more }, spec: { containers: [] } };
    uids[name] = (await memory.create(Pod, pod as never, { manager: 'somebody' })).metadata.uid;
  }
  const provided = rolesFrom(memory);
  const { signal } = new AbortController();
  const performed = provided.performer?.perform as Perform<RolesRequest>;
  const send = (request: RolesRequest) => performed(request, { signal, mayLeave: () => {} });
  const assign = (name: string, change: object, uid = uids[name] ?? '') =>
    send({ act: 'assign', namespace, pods: [{ name, uid, ...change }] });
  const metadata = async (name: string) => (await memory.read(Pod, { namespace, name }))?.metadata;
  const ask = (names: readonly string[]) =>
    (provided.source as unknown as Source<RolesQuestion, RolesAnswer>)(
      { namespace, pods: names.map((name) => ({ name, uid: uids[name] ?? 'gone' })) },
      { signal },
    );
  return { memory, uids, provided, send, assign, metadata, ask };
}

describe('the role of a Pod', () => {
  it.each([
    { what: 'no labels and annotations', before: {} },
    { what: 'others', before: { labels: { app: 'cache' }, annotations: { own: '1' } } },
    {
      what: 'an earlier role',
      before: { labels: { [leaderLabel]: 'false' }, annotations: { [roleAnnotation]: '{}' } },
    },
  ])('is written to a Pod with $what, and keeps the rest', async ({ before }) => {
    const { assign, metadata } = await given({ name: 'cache-0', ...before });
    await assign('cache-0', { role: '{"term":7}', term: '7', isLabelled: true });
    expect(await metadata('cache-0')).toMatchObject({
      labels: { ...before.labels, [leaderLabel]: 'true' },
      annotations: { ...before.annotations, [roleAnnotation]: '{"term":7}', [termAnnotation]: '7' },
    });
  });

  it('is removed by null, and stays without a value', async () => {
    const annotations = { [roleAnnotation]: '{}', [termAnnotation]: '7' };
    const { assign, metadata } = await given({ name: 'cache-0', labels: { [leaderLabel]: 'true' }, annotations });
    await assign('cache-0', { role: null, isLabelled: false });
    const { labels, annotations: left } = (await metadata('cache-0')) ?? {};
    expect([labels ?? {}, left]).toEqual([{}, { [termAnnotation]: '7' }]);
  });

  it('costs no write if the Pod has it', async () => {
    const { memory, assign } = await given({ name: 'cache-0', annotations: { [roleAnnotation]: '{}' } });
    memory.forgetWrites();
    await assign('cache-0', { role: '{}', term: null, isLabelled: false });
    expect(memory.writes).toEqual([]);
  });

  it('is never written to another Pod of the same name', async () => {
    const { assign, metadata } = await given({ name: 'cache-0' });
    await assign('cache-0', { role: '{}' }, 'of an earlier Pod');
    expect((await metadata('cache-0'))?.annotations).toBeUndefined();
  });

  it('reaches all other Pods if one of them fails', async () => {
    const { memory, send, metadata, uids } = await given({ name: 'cache-0' }, { name: 'cache-1' });
    const { patch } = memory;
    memory.patch = async (kind, name, ...rest) => {
      if (name.name === 'cache-0') throw new Error('the API server is away');
      return patch.call(memory, kind, name, ...rest);
    };
    const pods = Object.entries(uids).map(([name, uid]) => ({ name, uid, role: '{}' }));
    await expect(send({ act: 'assign', namespace, pods })).rejects.toThrow('the API server is away');
    expect((await metadata('cache-1'))?.annotations).toEqual({ [roleAnnotation]: '{}' });
  });

  it('is reported for each Pod that is still the same', async () => {
    const { ask, uids } = await given(
      { name: 'cache-0', annotations: { [roleAnnotation]: '{}', [termAnnotation]: '7' } },
      { name: 'cache-1', labels: { [leaderLabel]: 'true' } },
    );
    expect((await ask(['cache-0', 'cache-1', 'cache-2'])).pods).toEqual({
      'cache-0': { uid: uids['cache-0'], role: '{}', term: '7', isLabelled: false },
      'cache-1': { uid: uids['cache-1'], isLabelled: true },
    });
  });
});

describe('the deletion of a Pod', () => {
  it('hits this Pod, and no other of the same name', async () => {
    const { send, metadata, uids } = await given({ name: 'cache-0' }, { name: 'cache-1' });
    await send({
      act: 'delete',
      namespace,
      pods: [
        { name: 'cache-0', uid: uids['cache-0'] ?? '' },
        { name: 'cache-1', uid: 'earlier' },
      ],
    });
    expect(await metadata('cache-0')).toBeUndefined();
    expect(await metadata('cache-1')).toBeDefined();
    await send({ act: 'delete', namespace, pods: [{ name: 'cache-0', uid: uids['cache-0'] ?? '' }] });
  });
});

it('a Pod that is being deleted says so until it is gone', async () => {
  const { send, ask, uids } = await given({ name: 'cache-0', finalizers: ['example.org/slow'] });
  const uid = uids['cache-0'] ?? '';
  await send({ act: 'delete', namespace, pods: [{ name: 'cache-0', uid }] });
  expect((await ask(['cache-0'])).pods).toEqual({ 'cache-0': { uid, isLabelled: false, isEnding: true } });
});

describe('the port of roles', () => {
  let uid = '';
  const pods = [
    {
      name: 'cache-0',
      get uid() {
        return uid;
      },
    },
  ];
  const content = ({ pods: { 'cache-0': one } }: RolesAnswer) => one?.role;
  for (const { name, holds } of portContract({
    ...{ port: leaderRoles, question: { namespace, pods }, content },
    start: async () => {
      const begun = await given({ name: 'cache-0', annotations: { [roleAnnotation]: 'before' } });
      uid = begun.uids['cache-0'] ?? '';
      return begun.provided;
    },
    request: {
      ...{ act: 'assign' as const, namespace },
      get pods() {
        return [{ name: 'cache-0', uid, role: 'after' }];
      },
    },
    before: 'before' as never,
    after: 'after' as never,
  }))
    it(name, holds);
});
