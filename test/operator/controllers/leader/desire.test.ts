import { App, Chart } from 'cdk8s';
import { describe, expect, it } from 'vitest';
import { desire } from '../../../../operator/controllers/leader/desire.js';
import type { LeaseAnswer } from '../../../../operator/controllers/leader/ports/leases.js';
import type { ElectionView } from '../../../../operator/controllers/leader/view.js';
import { givenElection } from './given-election.js';
import { candidate, held, released } from './given-situation.js';

/** The live EndpointSlice of the leader `a`. */
const slice = {
  ...{
    addressType: 'IPv4',
    metadata: { name: 'cache-leader-ipv4', labels: { 'reconstruct.dev/leader-endpoints': 'leader' } },
  },
  endpoints: [{ targetRef: { uid: 'uid-a' } }],
};

/** Names of the EndpointSlices that are desired, with the number of endpoints. */
function slicesIn(lease: LeaseAnswer | undefined, pods: readonly string[] = ['a', 'b']): Record<string, number> {
  const chart = new Chart(new App(), 'chart');
  const { report: _, told: __, ...pod } = candidate('a');
  desire(chart, {
    resource: givenElection(),
    ...{ now: new Date(0), owned: { of: () => [slice] } },
    reads: { pods: pods.map((name) => ({ ...pod, name, uid: `uid-${name}` })), nodes: [], rivals: [] },
    polled: lease ? { lease: { known: true, value: lease, at: 0, earlier: [] } } : {},
  } as unknown as ElectionView);
  const objects = chart.toJson() as { kind: string; metadata: { name: string }; endpoints?: unknown[] }[];
  return Object.fromEntries(
    objects
      .filter(({ kind }) => kind === 'EndpointSlice')
      .map(({ metadata, endpoints = [] }) => [metadata.name, endpoints.length]),
  );
}

describe('the EndpointSlices of an election', () => {
  it('stay while there is no leader, without endpoints', () => {
    expect(slicesIn(released)).toEqual({ 'cache-leader-ipv4': 0 });
  });

  it('stay while no Pod has an address', () => {
    expect(slicesIn(released, [])).toEqual({ 'cache-leader-ipv4': 0 });
  });

  it('lead to a leader whose launcher is silent', () => {
    expect(slicesIn(held)).toEqual({ 'cache-leader-ipv4': 1 });
  });

  it('are kept as they are while the Lease is not known', () => {
    expect(slicesIn(undefined)).toEqual({});
  });
});
