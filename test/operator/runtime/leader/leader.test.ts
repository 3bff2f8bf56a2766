import { describe, expect, it } from 'vitest';
import { FencedError } from '../../../../operator/runtime/kubernetes/errors.js';
import { Lease } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { MemoryCluster } from '../../../../operator/testing/index.js';
import type { Loose } from '../../../given.js';
import { settled } from '../../fake-clock.js';
import { bound } from '../given/house.js';
import { Candidate, GivenElection } from '../given/leaders.js';
import { failure } from '../given/scripted-cluster.js';

const leaseName = { namespace: 'system', name: 'reconstruct' };
const held = (holderIdentity: string, leaseDurationSeconds = 15) => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: leaseName,
  spec: { holderIdentity, leaseDurationSeconds, leaseTransitions: 3 },
});

/** A process whose API server is away while the switch is on. */
function cutOff(): { on: boolean; wrap: (cluster: Cluster) => Cluster } {
  const cut = {
    on: false,
    wrap: (cluster: Cluster): Cluster => ({
      ...bound(cluster),
      read: async (...args) => (cut.on ? Promise.reject(failure(0, 'NoAnswer')) : cluster.read(...args)),
      apply: async (...args) => (cut.on ? Promise.reject(failure(0, 'NoAnswer')) : cluster.apply(...args)),
    }),
  };
  return cut;
}

describe('the lease', () => {
  it.each([
    { takes: 0, when: 'there is none', before: undefined, changes: 0 },
    { takes: 0, when: 'it says nothing', before: { ...held(''), spec: {} }, changes: 1 },
    { takes: 0, when: 'it was given back', before: held(''), changes: 4 },
    { takes: 0, when: 'it is our own', before: held('a'), changes: 3 },
    { takes: 15_051, when: "it is another's who never renews it", before: held('x'), changes: 4 },
    { takes: 15_051, when: "it is another's, of 5 s: he may have more", before: held('x', 5), changes: 4 },
    { takes: 20_051, when: "it is another's who asked for 20 s", before: held('x', 20), changes: 4 },
  ])('R29 is taken after $takes ms when $when', async ({ takes, before, changes }) => {
    const memory = new MemoryCluster();
    if (before) await memory.apply(Lease, before, { manager: 'x' });
    const candidate = new Candidate('a', memory);
    candidate.start();
    await candidate.clock.advance(Math.max(takes - 1, 0));
    expect(candidate.leads).toBe(takes === 0);
    await candidate.clock.advance(1);
    expect(candidate.leads).toBe(true);
    expect(await memory.read(Lease, leaseName)).toMatchObject({
      spec: { holderIdentity: 'a', leaseDurationSeconds: 15, leaseTransitions: changes },
    });
    await candidate.stop();
  });

  it('R29 is never taken while it is renewed', async () => {
    const election = new GivenElection();
    const { a, b } = election;
    a.start();
    await settled();
    b.start();
    await election.advance(120_000);
    expect([a.diary, b.diary]).toEqual([['leads'], []]);
    await Promise.all([a.stop(), b.stop()]);
  });

  it('R29 R30 is given back on a clean stop, and taken within 3 s', async () => {
    const election = new GivenElection();
    const { a, b } = election;
    a.start();
    await settled();
    b.start();
    await election.advance(10_000);
    await a.stop();
    expect(a.diary).toEqual(['leads', 'steps down']);
    await election.advance(3_000, [b.clock]);
    expect(b.leads).toBe(true);
    await b.stop();
  });

  it('R29 is taken within 17 s after the last renewal of a leader that was killed', async () => {
    const election = new GivenElection();
    const { a, b } = election;
    a.start();
    await settled();
    b.start();
    await election.advance(10_000);
    await election.advance(17_000, [b.clock]); // a's clock stands still: it is no more
    expect(b.diary).toEqual(['leads']);
    await b.stop();
  });

  it('R29 is kept while the work that was done in its name comes to an end', async () => {
    const election = new GivenElection();
    const { a, b } = election;
    a.lingers = true;
    a.start();
    await settled();
    b.start();
    const stopped = a.stop();
    await election.advance(40_000);
    expect([a.leads, b.leads]).toEqual([true, false]);
    a.finish?.();
    await stopped;
    await election.advance(3_000, [b.clock]);
    expect(b.leads).toBe(true);
    await b.stop();
  });
});

describe('a leader that loses its API server', () => {
  it('R29 steps down before another can take the lease, stands by, and leads again', async () => {
    const cut = cutOff();
    const election = new GivenElection({ a: cut.wrap });
    const { a, b } = election;
    a.start();
    await settled();
    b.start();
    await election.advance(10_000);
    cut.on = true;
    await election.advance(10_000);
    expect([a.leads, b.leads]).toEqual([false, false]);
    await election.advance(20_000);
    expect(a.diary).toEqual(['leads', 'steps down']);
    expect(b.leads).toBe(true);
    cut.on = false;
    await election.advance(10_000);
    expect(a.diary).toEqual(['leads', 'steps down']);
    await b.stop();
    await election.advance(3_000, [a.clock]);
    expect(a.diary).toEqual(['leads', 'steps down', 'leads']);
    await a.stop();
  });

  it('R29 keeps leading if it reconnects within 10 s', async () => {
    const cut = cutOff();
    const election = new GivenElection({ a: cut.wrap });
    election.a.start();
    await election.advance(10_000);
    cut.on = true;
    await election.advance(6_000);
    cut.on = false;
    await election.advance(60_000);
    expect(election.a.diary).toEqual(['leads']);
    await election.a.stop();
  });

  it('R29 steps down at once when another has the lease', async () => {
    const election = new GivenElection();
    const { a, memory } = election;
    a.start();
    await settled();
    await memory.apply(Lease, held('x'), { manager: 'x' });
    await election.advance(2_200);
    expect(a.diary).toEqual(['leads', 'steps down']);
    await election.advance(5_000);
    expect(((await memory.read(Lease, leaseName)) as Loose)['spec'].holderIdentity).toBe('x');
    await a.stop();
  });
});

describe('two that try at once', () => {
  it.each([
    { when: 'there is no lease', before: undefined },
    { when: 'it is free', before: held('') },
  ])('R29 do not both get it when $when', async ({ before }) => {
    const election = new GivenElection();
    const { a, b, memory } = election;
    if (before) await memory.apply(Lease, before, { manager: 'x' });
    a.start();
    b.start();
    await settled();
    expect([a.leads, b.leads].filter(Boolean)).toHaveLength(1);
    await election.advance(60_000);
    await Promise.all([a.stop(), b.stop()]);
  });
});

describe('a process that was stopped beyond its term', () => {
  it('R29 sends no write when it goes on, before any timer has told it', async () => {
    const election = new GivenElection();
    const { a, b, memory } = election;
    a.start();
    await settled();
    b.start();
    await election.advance(10_000);
    await a.write();
    a.clock.freeze(60_000);
    await election.advance(20_000, [b.clock]);
    expect(b.leads).toBe(true);
    memory.forgetWrites();
    await expect(a.write()).rejects.toBeInstanceOf(FencedError);
    expect(memory.writes.filter(({ manager }) => manager === 'a')).toEqual([]);
    await election.advance(1_000);
    expect(a.diary).toEqual(['leads', 'steps down']);
    await expect(b.write()).resolves.toBeDefined();
    await Promise.all([a.stop(), b.stop()]);
  });

  it('R29 does not release a lease of another holder', async () => {
    const memory = new MemoryCluster();
    const candidate = new Candidate('a', memory);
    candidate.start();
    await settled();
    candidate.clock.freeze(15_000);
    memory.forgetWrites();
    await candidate.stop();
    expect(candidate.diary).toEqual(['leads', 'steps down']);
    expect(memory.writes).toEqual([]);
  });

  it.each([
    { write: 'the lease was taken', slowFrom: 0 },
    { write: 'a renewal was sent', slowFrom: 2_200 },
  ])('R29 has its term counted from when $write, not from the answer', async ({ slowFrom }) => {
    let isSlow = slowFrom === 0;
    const slowly = <T>(answer: T): T => {
      if (isSlow) candidate.clock.freeze(9_000);
      isSlow = false;
      return answer;
    };
    const memory = new MemoryCluster();
    const candidate = new Candidate('a', {
      ...bound(memory),
      create: async (...args) => slowly(await memory.create(...args)),
      apply: async (...args) => slowly(await memory.apply(...args)),
    });
    candidate.start();
    await settled();
    isSlow = slowFrom > 0;
    await candidate.clock.advance(slowFrom);
    candidate.clock.freeze(1_001);
    expect([candidate.diary, candidate.leads]).toEqual([['leads'], false]);
    await candidate.stop();
  });
});

describe('a write in flight when the term ends', () => {
  it('R29 is aborted', async () => {
    const cut = cutOff();
    const hanging = (cluster: Cluster): Cluster => ({
      ...cut.wrap(cluster),
      create: (kind, object, options) =>
        kind === Lease
          ? cluster.create(kind, object, options)
          : new Promise((_, reject) => {
              options.signal?.addEventListener('abort', () => reject(options.signal?.reason as Error));
            }),
    });
    const election = new GivenElection({ a: hanging });
    const { a } = election;
    a.start();
    await settled();
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'team' } };
    const writing = a.writing.create({ ...Lease, kind: 'ConfigMap' }, object, { manager: 'a' });
    const refused = expect(writing).rejects.toThrow('the lease term is over');
    cut.on = true;
    await election.advance(16_000);
    await refused;
    await a.stop();
  });
});
