import { expect, it, test } from 'vitest';
import { decide, decisions } from '../../../cli/publication/publication.js';
import { servicePublicationKind } from '../../../imports/index.js';
import { MemoryCluster } from '../../../operator/testing/index.js';
import { givenPublication } from '../../operator/controllers/publication/given-publication.js';

async function clusterWith(): Promise<MemoryCluster> {
  const cluster = new MemoryCluster();
  const { apiVersion, kind, spec } = givenPublication();
  const manifest = { apiVersion, kind, metadata: { name: 'billing', namespace: 'shop' }, spec };
  await cluster.apply(servicePublicationKind, manifest, { manager: 'user' });
  return cluster;
}

const place = { namespace: 'shop', name: 'billing' };

test.each([
  [decisions.takeOver, 'heritage=other', 'reconstruct.dev/take-over-records', 'takes over records of "heritage=other"'],
  [decisions.abandon, 'a at b', 'reconstruct.dev/abandon-targets', 'lets go of a at b, whose records stay'],
] as const)('a decision becomes an annotation of the publication', async (decision, text, annotation, said) => {
  const cluster = await clusterWith();
  expect(await decide(cluster, decision, { ...place, text })).toBe(`ServicePublication shop/billing ${said}`);
  const live = await cluster.read(servicePublicationKind, place);
  expect(live?.metadata.annotations?.[annotation]).toBe(text);
});

it('two decisions do not undo each other', async () => {
  const cluster = await clusterWith();
  await decide(cluster, decisions.takeOver, { ...place, text: 'one' });
  await decide(cluster, decisions.abandon, { ...place, text: 'two' });
  const live = await cluster.read(servicePublicationKind, place);
  expect(Object.values(live?.metadata.annotations ?? {}).toSorted()).toEqual(['one', 'two']);
});

it('a decision about a publication that does not exist is refused', async () => {
  const decision = decide(new MemoryCluster(), decisions.abandon, { ...place, text: '*' });
  await expect(decision).rejects.toThrow('billing');
});
