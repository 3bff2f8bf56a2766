import { describe, expect, it } from 'vitest';
import { ConfigMap, Lease, type ObjectKind } from '../../../../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject, ObjectName } from '../../../../../operator/runtime/kubernetes/object.js';
import { operatorLease } from '../../../../../operator/testing/simulation/environment/operator-lease.js';
import type { SimulatedProcess } from '../../../../../operator/testing/simulation/environment/process.js';
import type { Scene } from '../../../../../operator/testing/simulation/environment/scene.js';
import type { Invariant } from '../../../../../operator/testing/simulation/invariants/invariant.js';
import { term } from '../../../../../operator/testing/simulation/invariants/term.js';

const process = { identity: 'a-1' } as SimulatedProcess;
const time = { now: 0 };

const leaseOf = (name: ObjectName, holderIdentity?: string): LiveObject =>
  ({ metadata: name, spec: { holderIdentity, leaseDurationSeconds: 15 } }) as unknown as LiveObject;

/** The invariant, after a Lease of the operator with this holder was written at 0 s. */
function heldBy(holder?: string): Invariant {
  time.now = 0;
  const invariant = term({ time } as Scene);
  written(invariant, operatorLease, leaseOf(operatorLease, holder));
  return invariant;
}

/** Another client writes a Lease. */
function written(invariant: Invariant, name: ObjectName, after: LiveObject | undefined): void {
  const request = { verb: after ? 'create' : 'remove', kind: Lease, name } as const;
  invariant.onEffect?.({ request, by: undefined, before: undefined, after });
}

const writes = (
  invariant: Invariant,
  kind: ObjectKind = ConfigMap,
  name: ObjectName = { name: 'web', namespace: 'team' },
) => invariant.onLeave?.({ verb: 'apply', kind, name }, process);

describe('the invariant of the term', () => {
  it.each<readonly [string | undefined, string, string]>([
    [undefined, 'it holds the Lease', 'a-1'],
    ['b-1 holds the lease, but a-1 writes', 'another process holds the Lease', 'b-1'],
    ['no process holds the lease, but a-1 writes', 'the Lease was released', ''],
  ])('finds %s in a write of a process when %s', (violation, _, holder) => {
    const invariant = heldBy(holder);
    expect(writes(invariant)).toBe(violation);
    expect(invariant.onCall?.(process)).toBe(violation);
  });

  it('finds a write after the duration of the Lease', () => {
    const invariant = heldBy('a-1');
    time.now = 14_999;
    expect(writes(invariant)).toBeUndefined();
    time.now = 15_000;
    expect(writes(invariant)).toBe('the lease of a-1 has expired, but it writes');
  });

  it.each<readonly [string, ObjectName]>([
    ['of another name in its namespace', { ...operatorLease, name: 'cache' }],
    ['of its name in another namespace', { ...operatorLease, namespace: 'shop' }],
  ])('ignores the Lease of another client %s', (_, name) => {
    const invariant = heldBy('a-1');
    written(invariant, name, { metadata: name } as LiveObject);
    written(invariant, name, undefined);
    expect(writes(invariant)).toBeUndefined();
  });

  it('judges a write of a Lease that a resource owns like one of any object, and lets each process write its own', () => {
    const invariant = heldBy('b-1');
    expect(writes(invariant, Lease, { name: 'cache', namespace: 'shop' })).toBeDefined();
    expect(writes(invariant, Lease, operatorLease)).toBeUndefined();
  });
});
