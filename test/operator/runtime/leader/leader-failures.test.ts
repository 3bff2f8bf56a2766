import { describe, expect, it } from 'vitest';
import { Lease } from '../../../../operator/runtime/kubernetes/kinds.js';
import { LeaderElector } from '../../../../operator/runtime/leader/leader-election.js';
import { leaseTimes } from '../../../../operator/runtime/leader/lease-times.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { silent } from '../../../../operator/runtime/ports/telemetry.js';
import { MemoryCluster } from '../../../../operator/testing/index.js';
import type { Loose } from '../../../given.js';
import { FakeClock, settled } from '../../fake-clock.js';
import { bound } from '../given/house.js';
import { Candidate, GivenElection } from '../given/leaders.js';
import { failure } from '../given/scripted-cluster.js';

const leaseName = { namespace: 'system', name: 'reconstruct' };

async function holderOf(memory: MemoryCluster): Promise<string | undefined> {
  return ((await memory.read(Lease, leaseName)) as Loose | undefined)?.['spec'].holderIdentity;
}

/** Another client edits the lease's metadata, and not its spec. */
async function annotated(memory: MemoryCluster, value: string): Promise<void> {
  const annotations = { note: value };
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { ...leaseName, annotations } };
  await memory.apply(Lease, lease, { manager: 'somebody' });
}

/** The next writes of the lease meet these troubles, one each. */
class Troubled {
  readonly troubles: ('lost answer' | 'conflict after it' | 'silence' | 'lost request' | '404 of a proxy')[] = [];

  readonly wrap = (cluster: Cluster): Cluster => ({
    ...bound(cluster),
    apply: async (kind, object, options) => {
      const trouble = this.troubles.shift();
      if (trouble === 'silence') return rejectionOf(options.signal);
      if (trouble === 'lost request') throw failure(0, 'NoAnswer');
      if (trouble === '404 of a proxy') throw failure(404, 'NotFound');
      const answer = await cluster.apply(kind, object, options);
      if (trouble === 'lost answer') throw failure(0, 'NoAnswer');
      // The client repeated what had been carried out already.
      if (trouble === 'conflict after it') throw failure(409, 'Conflict');
      return answer;
    },
  });
}

function rejectionOf(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
}

describe('a leader whose renewal meets trouble', () => {
  it.each([
    { when: 'the answer is lost', troubles: ['lost answer' as const] },
    { when: 'the answer is lost and the client tried again', troubles: ['conflict after it' as const] },
    { when: 'the answer is lost twice', troubles: ['lost answer' as const, 'conflict after it' as const] },
    { when: 'the request is lost', troubles: ['lost request' as const] },
    { when: 'a proxy answers that there is nothing', troubles: ['404 of a proxy' as const] },
    { when: 'a connection is dead', troubles: ['silence' as const] },
  ])('R29 goes on when $when', async ({ troubles }) => {
    const troubled = new Troubled();
    const election = new GivenElection({ a: troubled.wrap });
    const { a, b } = election;
    a.start();
    await election.advance(5_000);
    b.start();
    troubled.troubles.push(...troubles);
    await election.advance(60_000);
    expect(troubled.troubles).toEqual([]);
    expect([a.diary, b.diary]).toEqual([['leads'], []]);
    await Promise.all([a.stop(), b.stop()]);
  });

  it('R29 keeps leading while another client edits the metadata of the lease', async () => {
    const election = new GivenElection();
    const { a, memory } = election;
    a.start();
    for (let time = 0; time < 30; time++) {
      await annotated(memory, `${time}`);
      await election.advance(1_000);
    }
    expect(a.diary).toEqual(['leads']);
    await a.stop();
  });

  it('R29 steps down when requests vanish, and another takes over in time', async () => {
    const troubled = new Troubled();
    const election = new GivenElection({ a: troubled.wrap });
    const { a, b } = election;
    a.start();
    await settled();
    b.start();
    await election.advance(10_000);
    troubled.troubles.push(...Array.from({ length: 100 }, () => 'silence' as const));
    await election.advance(10_000);
    expect(a.diary).toEqual(['leads', 'steps down']);
    await election.advance(7_000);
    expect(b.leads).toBe(true);
    troubled.troubles.length = 0;
    await Promise.all([a.stop(), b.stop()]);
  });
});

describe('a standby', () => {
  it('R29 acquires the lease of a killed leader while another client edits its metadata', async () => {
    const election = new GivenElection();
    const { a, b, memory } = election;
    a.start();
    await settled();
    b.start();
    await election.advance(4_000);
    for (let time = 0; time < 17; time++) {
      await annotated(memory, `${time}`);
      await election.advance(1_000, [b.clock]);
    }
    expect(b.diary).toEqual(['leads']);
    await b.stop();
  });
});

describe('a process that may not touch the lease', () => {
  it('R29 LeaderElectionPermissionIT: says so, stands by, and leads when it may', async () => {
    let may = false;
    const refused = (cluster: Cluster): Cluster => ({
      ...bound(cluster),
      read: async (...args) => (may ? cluster.read(...args) : Promise.reject(failure(403, 'Forbidden'))),
    });
    const election = new GivenElection({ a: refused });
    const { a } = election;
    a.start();
    await election.advance(60_000);
    expect(a.diary).toEqual([]);
    expect(a.complaints).toContainEqual({ lease: 'reconstruct', error: 'it says Forbidden' });
    may = true;
    await election.advance(2_000);
    expect(a.diary).toEqual(['leads']);
    await a.stop();
  });
});

describe('clocks that do not run equally fast', () => {
  /** The leader is cut off; how fast its clock runs while the standby's makes 100 ms. */
  it.each([
    { leaders: 'at most one at a time', pace: 70, when: 'the leader falls behind by a third' },
    { leaders: 'at most one at a time', pace: 150, when: 'the leader runs ahead by half' },
    { leaders: 'two', pace: 50, when: 'the leader runs half as fast: more than the times of the lease allow' },
  ])('R29 have $leaders when $when', async ({ leaders, pace }) => {
    const troubled = new Troubled();
    const { a, b } = new GivenElection({ a: troubled.wrap });
    a.start();
    await settled();
    b.start();
    await settled();
    troubled.troubles.push(...Array.from({ length: 100 }, () => 'lost request' as const));
    let together = 0;
    for (let passed = 0; passed < 30_000; passed += 100) {
      await a.clock.advance(pace);
      await b.clock.advance(100);
      if (a.leads && b.leads) together += 100;
    }
    expect(b.diary).toEqual(['leads']);
    expect(together > 0 ? 'two' : 'at most one at a time').toBe(leaders);
    troubled.troubles.length = 0;
    await Promise.all([a.stop(), b.stop()]);
  });
});

describe('a process that is asked to stop', () => {
  it('R29 releases the lease right after another client edits its metadata', async () => {
    const { a, memory } = new GivenElection();
    a.start();
    await settled();
    await annotated(memory, 'late');
    await a.stop();
    expect(await holderOf(memory)).toBe('');
  });

  it('R29 does not wait for an answer to what it only reads, and writes nothing', async () => {
    const memory = new MemoryCluster();
    const hanging: Cluster = { ...bound(memory), read: (_kind, _name, options) => rejectionOf(options?.signal) };
    const candidate = new Candidate('a', hanging);
    candidate.start();
    await settled();
    await candidate.stop();
    expect([candidate.diary, memory.writes]).toEqual([[], []]);
  });

  it('R29 frees a lease that it took without hearing of it', async () => {
    const memory = new MemoryCluster();
    const deaf: Cluster = {
      ...bound(memory),
      create: async (kind, object, options) => {
        await memory.create(kind, object, options);
        return rejectionOf(options.signal);
      },
    };
    const candidate = new Candidate('a', deaf);
    candidate.start();
    await settled();
    expect(await holderOf(memory)).toBe('a');
    await candidate.stop();
    expect([candidate.diary, await holderOf(memory)]).toEqual([[], '']);
  });

  it('R29 frees the lease when the renewal that was on its way has come back', async () => {
    let answer = () => {};
    const slow = (cluster: Cluster): Cluster => ({
      ...bound(cluster),
      apply: async (...args) => {
        const lease = await cluster.apply(...args);
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        return lease;
      },
    });
    const { a, memory } = new GivenElection({ a: slow });
    a.start();
    await a.clock.advance(2_000);
    const stopped = a.stop();
    await settled();
    answer();
    await settled();
    answer();
    await stopped;
    expect(await holderOf(memory)).toBe('');
  });
});

describe('the times of a lease', () => {
  it.each([
    {
      fault: /duration must be longer than its renew deadline, got 10000 ms and 10000 ms/,
      times: { duration: 10_000 },
    },
    { fault: /renew deadline must be at least twice its retry period/, times: { retryPeriod: 5_001 } },
  ])('R29 are refused with $fault', ({ fault, times }) => {
    const options = { cluster: new MemoryCluster(), clock: new FakeClock(), telemetry: silent, identity: 'a' };
    const lead = () => Promise.resolve();
    const leader = () => new LeaderElector({ ...options, ...leaseName, lead, times: { ...leaseTimes, ...times } });
    expect(leader).toThrow(fault);
  });
});
