import { describe, expect, it } from 'vitest';
import {
  type ElectRequest,
  type LeaseAnswer,
  type LeaseQuestion,
  leaderLeases,
  releaseAnnotation,
} from '../../../../operator/controllers/leader/ports/leases.js';
import { LeaseObserver } from '../../../../operator/engines/leader/lease-observer.js';
import { leasesFrom } from '../../../../operator/engines/leader/leases-source.js';
import { Lease } from '../../../../operator/runtime/index.js';
import type { Perform, Source } from '../../../../operator/runtime/ports/external-port.js';
import { MemoryCluster, portContract } from '../../../../operator/testing/index.js';
import { FakeClock } from '../../fake-clock.js';

const at = { namespace: 'shop', name: 'cache' };
const holder = 'cache-0/uid-0/boot-0';
const labels = { 'reconstruct.dev/leader-election': 'cache' };

async function given(spec?: object, annotations?: Record<string, string>) {
  const memory = new MemoryCluster();
  const clock = new FakeClock();
  const observer = new LeaseObserver({ cluster: memory, clock });
  const provided = leasesFrom({ cluster: memory, clock, observer });
  const metadata = { ...at, labels, ...(annotations && { annotations }) };
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, ...(spec && { spec }) };
  const { uid } = (await memory.create(Lease, lease as never, { manager: 'somebody' })).metadata;
  const { signal } = new AbortController();
  const performed = provided.performer?.perform as Perform<ElectRequest>;
  const ask = () => (provided.source as unknown as Source<LeaseQuestion, LeaseAnswer>)(at, { signal });
  const elect = async (change: Partial<ElectRequest> = {}) => {
    const answer = await ask();
    const request = {
      ...at,
      uid,
      version: 'version' in answer ? answer.version : '',
      term: 8,
      holder,
      duration: 15_000,
    };
    return performed({ ...request, ...change }, { signal, mayLeave: () => {} });
  };
  const renew = (renewTime: string) =>
    memory.patch(Lease, at, [{ op: 'add', path: '/spec/renewTime', value: renewTime }], { manager: 'launcher' });
  return { memory, clock, observer, provided, uid, ask, elect, renew };
}

const held = {
  holderIdentity: holder,
  leaseTransitions: 7,
  leaseDurationSeconds: 15,
  renewTime: '2030-01-01T00:00:00.000000Z',
};

describe('the Lease of an election', () => {
  it.each([
    { state: 'released', when: 'nobody has held it', spec: undefined },
    { state: 'released', when: 'its holder has released it', spec: { leaseTransitions: 7 } },
    { state: 'held', when: 'it names a holder', spec: held },
    {
      state: 'held',
      when: 'its renewal is old by the time in it, which no other clock has to share',
      spec: { ...held, renewTime: '1999-01-01T00:00:00.000000Z' },
    },
  ])('is $state when $when', async ({ state, spec }) => {
    expect(await (await given(spec)).ask()).toMatchObject({ state });
  });

  it('expires by the observation of this process, and each renewal counts anew', async () => {
    const { ask, renew, clock } = await given(held);
    await ask();
    await clock.advance(14_000);
    await renew('2030-01-01T00:00:14.000000Z');
    expect(await ask()).toMatchObject({ state: 'held' });
    await clock.advance(15_001);
    const since = Date.parse('2030-01-01T00:00:29Z');
    expect(await ask()).toMatchObject({ state: 'expired', holder, term: 7, since });
    await renew('2030-01-01T00:00:31.000000Z');
    expect(await ask()).toMatchObject({ state: 'held' });
  });

  it('counts from the first observation of a new process', async () => {
    const { memory, clock, ask } = await given(held);
    await ask();
    await clock.advance(20_000);
    const observer = new LeaseObserver({ cluster: memory, clock });
    const { source } = leasesFrom({ cluster: memory, clock, observer });
    const { signal } = new AbortController();
    expect(await (source as unknown as Source<LeaseQuestion, LeaseAnswer>)(at, { signal })).toMatchObject({
      state: 'held',
    });
    await observer.close();
  });

  it('has the same answer while the holder renews', async () => {
    const { ask, renew } = await given(held);
    const before = await ask();
    await renew('2030-01-01T00:00:02.000000Z');
    expect(await ask()).toEqual(before);
  });

  it('tells why it was released, and omits an annotation that it cannot read', async () => {
    const release = { by: { name: 'cache-0', uid: 'uid-0', boot: 'boot-0' }, term: 7, reason: 'Crashed' };
    expect(await (await given({}, { [releaseAnnotation]: JSON.stringify(release) })).ask()).toMatchObject({ release });
    for (const text of ['{', '[]', '{"term": "7"}'])
      expect(await (await given({}, { [releaseAnnotation]: text })).ask()).not.toHaveProperty('release');
  });
});

describe('an election', () => {
  it('writes holder, term and times, and removes the release', async () => {
    const { memory, elect } = await given({ leaseTransitions: 7 }, { [releaseAnnotation]: '{}', own: '1' });
    await elect();
    const lease = await memory.read(Lease, at);
    expect(lease).toMatchObject({
      metadata: { labels, annotations: { own: '1' } },
      spec: { holderIdentity: holder, leaseTransitions: 8, leaseDurationSeconds: 15 },
    });
    expect(lease?.metadata.annotations).not.toHaveProperty([releaseAnnotation]);
  });

  it('fails without effect if another has won', async () => {
    const { ask, elect } = await given({ leaseTransitions: 7 });
    const { version } = (await ask()) as { version: string };
    await elect({ holder: 'cache-1/uid-1/boot-1' });
    await expect(elect({ version })).rejects.toMatchObject({ kind: 'retryable', mayHaveEffect: false });
    expect(await ask()).toMatchObject({ holder: 'cache-1/uid-1/boot-1', term: 8 });
  });

  it('fails if the holder has renewed since it was seen to have expired', async () => {
    const { ask, elect, renew, clock } = await given(held);
    await ask();
    await clock.advance(15_001);
    const { version, state } = (await ask()) as { version: string; state: string };
    expect(state).toBe('expired');
    await renew('2030-01-01T00:00:16.000000Z');
    await expect(elect({ version })).rejects.toMatchObject({ kind: 'retryable' });
  });

  it('can end the term of a holder whose process is known to be gone', async () => {
    const { ask, elect } = await given(held);
    await elect({ holder: '' });
    expect(await ask()).toMatchObject({ state: 'released', term: 8 });
  });

  it('never lowers a term', async () => {
    const { elect } = await given({ leaseTransitions: 9 });
    await expect(elect()).rejects.toMatchObject({ kind: 'terminal' });
  });

  it('does not touch a Lease that was created anew', async () => {
    const { elect } = await given({ leaseTransitions: 7 });
    await expect(elect({ version: JSON.stringify(['released', 'of another', 7]) })).rejects.toMatchObject({
      kind: 'retryable',
    });
  });
});

describe('the watch', () => {
  it('announces another holder, the end of a lease and a deletion, and no renewal', async () => {
    const { memory, clock, observer, ask, renew, elect } = await given(held);
    const announced: LeaseQuestion[] = [];
    const others: LeaseQuestion[] = [];
    const ending = new AbortController();
    observer.announceTo((question) => announced.push(question), new AbortController());
    observer.announceTo((question) => others.push(question), ending);
    await ask();
    await clock.advance(0);
    await renew('2030-01-01T00:00:02.000000Z');
    await clock.advance(0);
    expect(announced).toEqual([]);
    await clock.advance(15_001);
    expect([announced, others]).toEqual([[at], [at]]);
    ending.abort();
    await elect({ holder: 'cache-1/uid-1/boot-1' });
    await clock.advance(0);
    expect(announced).toEqual([at, at]);
    const live = await memory.read(Lease, at);
    await memory.remove(Lease, at, { uid: live?.metadata.uid ?? '' });
    await clock.advance(0);
    expect([announced, others]).toEqual([[at, at, at], [at]]);
    await observer.close();
  });
});

describe('the port of Leases', () => {
  const withoutIdentity = ({ uid, version, ...rest }: LeaseAnswer & { uid?: string; version?: string }) => rest;
  let uid = '';
  const request = {
    ...at,
    get uid() {
      return uid;
    },
    get version() {
      return JSON.stringify(['released', uid, 7]);
    },
    ...{ term: 8, holder, duration: 15_000 },
  };
  for (const { name, holds } of portContract({
    ...{ port: leaderLeases, question: at, request, content: withoutIdentity as (answer: LeaseAnswer) => unknown },
    start: async () => {
      const begun = await given({ leaseTransitions: 7 });
      uid = begun.uid;
      return begun.provided;
    },
    before: { state: 'released', term: 7 } as LeaseAnswer,
    after: { state: 'held', term: 8, holder } as LeaseAnswer,
  }))
    it(name, holds);
});
