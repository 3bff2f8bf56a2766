import { describe, expect, it } from 'vitest';
import { Lease } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import type { Loose } from '../../../given.js';
import { settled } from '../../fake-clock.js';
import { bound } from '../given/house.js';
import { GivenElection } from '../given/leaders.js';
import { failure } from '../given/scripted-cluster.js';

const name = { namespace: 'system', name: 'reconstruct' };
const lease = ({ memory }: GivenElection) => memory.read(Lease, name) as Promise<Loose | undefined>;

const meddlings = {
  deletes: async ({ memory }: GivenElection, { metadata }: Loose) => {
    await memory.remove(Lease, name, { uid: metadata.uid });
  },
  'shortens to a second': async ({ memory }: GivenElection, { spec }: Loose) => {
    const shortened = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: name };
    await memory.apply(Lease, { ...shortened, spec: { ...spec, leaseDurationSeconds: 1 } } as Manifest, {
      manager: 'somebody',
    });
  },
  empties: async ({ memory }: GivenElection, { spec }: Loose) => {
    const value = { ...spec, holderIdentity: '' };
    await memory.patch(Lease, name, [{ op: 'replace', path: '/spec', value }], { manager: 'somebody' });
  },
  'replaces by one that says nothing': async ({ memory }: GivenElection, { metadata }: Loose) => {
    await memory.remove(Lease, name, { uid: metadata.uid });
    const empty = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: name };
    await memory.create(Lease, empty as Manifest, { manager: 'somebody' });
  },
};

/** Moments between two renewals. */
const phases = Array.from({ length: 10 }, (_, index) => index * 300);
const rows = Object.entries(meddlings).flatMap(([meddles, meddle]) => [
  { meddles, meddle, leader: 'hears of it', isCut: false },
  { meddles, meddle, leader: 'has no answer any more', isCut: true },
]);

describe('a lease', () => {
  it.each(rows)('R29 that somebody $meddles has one leader at a time, who $leader', async ({ meddle, isCut }) => {
    for (const phase of phases) {
      let cut = false;
      const hears = (cluster: Cluster): Cluster => ({
        ...bound(cluster),
        read: async (...args) => (cut ? Promise.reject(failure(0, 'NoAnswer')) : cluster.read(...args)),
        apply: async (...args) => (cut ? Promise.reject(failure(0, 'NoAnswer')) : cluster.apply(...args)),
      });
      const election = new GivenElection({ a: hears });
      const { a, b } = election;
      a.start();
      await settled();
      b.start();
      await election.advance(5_000 + phase);
      cut = isCut;
      const before = await lease(election);
      if (before) await meddle(election, before);
      await election.advance(20_000);
      expect(a.leads || b.leads).toBe(true);
      expect((await lease(election))?.['spec'].leaseDurationSeconds).toBe(15);
      await Promise.all([a.stop(), b.stop()]);
    }
  });
});
