import { describe, expect, it } from 'vitest';
import { type SwitchoverRequest, switchover } from '../../../cli/leader/switchover.js';
import type { Cluster } from '../../../operator/runtime/ports/cluster.js';

const name = { namespace: 'shop', name: 'cache' };
const states = [
  { name: 'cache-0', state: 'Leader' },
  { name: 'cache-1', state: 'Replica' },
];

/** Runs the command. @param live the resource, undefined if it does not exist */
async function ran(wanted: Partial<SwitchoverRequest>, live: object | undefined = { status: { states } }) {
  const applied: { readonly metadata: { readonly annotations: object; readonly uid: string } }[] = [];
  const metadata = { ...name, uid: 'uid' };
  const cluster = {
    read: async () => live && { ...live, metadata: { ...metadata, ...(live as { metadata?: object }).metadata } },
    apply: async (_: unknown, manifest: (typeof applied)[number]) => applied.push(manifest),
  } as unknown as Cluster;
  const line = await switchover(cluster, { name, acceptsLoss: false, now: 0, ...wanted });
  return { line, applied };
}

describe('reconstruct leader switchover', () => {
  it.each([
    ['any replica', {}, '1970-01-01T00:00:00.000Z'],
    ['one Pod', { to: 'cache-1' }, '1970-01-01T00:00:00.000Z to=cache-1'],
    [
      'one Pod with a loss',
      { to: 'cache-1', acceptsLoss: true },
      '1970-01-01T00:00:00.000Z to=cache-1 accept-data-loss',
    ],
  ])('asks for %s by an annotation of the resource that was read', async (_, wanted, value) => {
    const { line, applied } = await ran(wanted);
    expect(applied.map(({ metadata: { annotations, uid } }) => ({ annotations, uid }))).toEqual([
      { annotations: { 'reconstruct.dev/switchover': value }, uid: 'uid' },
    ]);
    expect(line).toContain('reconstruct status leaderelection cache -n shop');
  });

  it.each([
    ['a loss without a Pod', { acceptsLoss: true }, undefined, '--accept-data-loss must come with --to'],
    [
      'a Pod that is no candidate',
      { to: 'web-0' },
      undefined,
      'has no candidate web-0; its candidates are cache-0, cache-1',
    ],
    [
      'an election that is deleted',
      {},
      { metadata: { deletionTimestamp: '2030-01-01T00:00:00Z' } },
      'is being deleted',
    ],
  ])('refuses %s', async (_, wanted, live, message) => {
    await expect(ran(wanted, live)).rejects.toThrow(message);
  });

  it('says that the election does not exist', async () => {
    const missing = { read: async () => undefined, list: async () => ({ items: [] }) } as unknown as Cluster;
    await expect(switchover(missing, { name, acceptsLoss: false, now: 0 })).rejects.toThrow('cache');
  });
});
