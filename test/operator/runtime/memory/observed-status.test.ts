import { expect, it } from 'vitest';
import type { Facts } from '../../../../operator/runtime/controller/facts.js';
import { ObservedDependencies } from '../../../../operator/runtime/memory/observed-dependencies.js';

it('shows the same status at each read, and records the fields that are read', () => {
  const status = { account: 'a', observedGeneration: 1 };
  const dependencies = new ObservedDependencies();
  const owned = { of: () => [], one: () => undefined, all: () => [] };
  const { resource } = dependencies.of({ resource: { metadata: {}, status }, owned } as unknown as Facts);
  expect(resource.status).toBe(resource.status);
  expect((resource.status as { readonly account?: string }).account).toBe('a');
  expect([...(dependencies.statusFields ?? [])]).toEqual(['account']);
});
