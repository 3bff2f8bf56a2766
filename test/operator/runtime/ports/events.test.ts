import { describe, expect, it } from 'vitest';
import { Event } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { EventRecorder } from '../../../../operator/runtime/ports/event-recorder.js';
import { silent } from '../../../../operator/runtime/ports/telemetry.js';
import { MemoryCluster } from '../../../../operator/testing/index.js';
import { type Loose, live } from '../../../given.js';
import { FakeClock, settled } from '../../fake-clock.js';
import { bound } from '../given/house.js';
import { failure } from '../given/scripted-cluster.js';
import { widget, widgetKind } from '../given/widgets.js';

const controller = { name: 'widget', kind: widgetKind };
const resource = live(widget('web'));

function givenRecorder(fails = false) {
  const memory = new MemoryCluster();
  const clock = new FakeClock();
  const lost: string[] = [];
  const telemetry = { ...silent, log: { ...silent.log, warn: (_: object, message: string) => lost.push(message) } };
  let isFirst = true;
  const create: Cluster['create'] = async (...args) => {
    if (isFirst) {
      isFirst = false;
      throw failure(403, 'Forbidden');
    }
    return memory.create(...args);
  };
  const cluster = fails ? { ...bound(memory), create } : memory;
  const recorder = new EventRecorder({ cluster, clock, telemetry, instance: 'pod-1' });
  const tell = async (note: string, of = resource) => {
    recorder.record(controller, of, { type: 'Warning', reason: 'Why', note });
    await settled();
  };
  const events = async () => (await memory.list(Event, {})).items as Loose[];
  return { clock, tell, events, lost, memory, recorder };
}

describe('an event', () => {
  it('R32 names the controller, the reason and the resource', async () => {
    const { tell, events } = givenRecorder();
    await tell('so');
    expect(await events()).toMatchObject([
      {
        metadata: { namespace: 'team', name: expect.stringMatching(/^web\.[0-9a-f]{16}$/) },
        ...{ type: 'Warning', reason: 'Why', note: 'so', action: 'Reconcile' },
        eventTime: '2030-01-01T00:00:00.000000Z',
        reportingController: 'reconstruct.dev/widget',
        reportingInstance: 'pod-1',
        regarding: { apiVersion: 'example.org/v1', kind: 'Widget', namespace: 'team', name: 'web', uid: 'uid-of-web' },
      },
    ]);
  });

  it('R32 is the same as another that differs beyond what is told of it', async () => {
    const { tell, events } = givenRecorder();
    for (const end of ['one', 'another']) await tell(`${'so '.repeat(1_000)}${end}`);
    expect(await events()).toMatchObject([{ series: { count: 2 } }]);
  });

  it('R32 that repeats increases the count of the first', async () => {
    const { tell, events, clock } = givenRecorder();
    for (let n = 0; n < 3; n++) {
      await tell('so');
      await clock.advance(60_000);
    }
    expect(await events()).toMatchObject([{ series: { count: 3, lastObservedTime: '2030-01-01T00:02:00.000000Z' } }]);
  });

  it('R32 that repeats much later is a new one', async () => {
    const { tell, events, clock } = givenRecorder();
    await tell('so');
    await clock.advance(6 * 60_000);
    await tell('so');
    expect(await events()).toHaveLength(2);
  });

  it('R32 is one of 25 in 5 min of one resource at most', async () => {
    const { tell, events, clock } = givenRecorder();
    for (let n = 0; n < 40; n++) await tell(`so ${n}`);
    expect(await events()).toHaveLength(25);
    await clock.advance(5 * 60_000);
    await tell('later');
    expect(await events()).toHaveLength(26);
  });

  it('R32 TestEventSpamFilter: is one more in each 5 min after the first 25, as client-go allows', async () => {
    const { tell, events, clock } = givenRecorder();
    const more = async (minutes: number) => {
      await clock.advance(minutes * 60_000);
      const before = (await events()).length;
      for (let n = 0; n < 40; n++) await tell(`so ${n} after ${clock.now()}`);
      return (await events()).length - before;
    };
    const counts: number[] = [];
    for (const minutes of [0, 4, 1, 10, 5 * 25, 5 * 30]) counts.push(await more(minutes));
    expect(counts).toEqual([25, 0, 1, 2, 25, 25]);
  });

  it('R32 does not count against an earlier resource that is gone', async () => {
    const { tell, events, recorder } = givenRecorder();
    for (let n = 0; n < 26; n++) await tell(`so ${n}`);
    recorder.forget(resource.metadata.uid);
    await tell('later');
    expect(await events()).toHaveLength(26);
  });

  it('R34 is cut where the API would refuse it, which counts bytes', async () => {
    const { tell, events } = givenRecorder();
    await tell('東京'.repeat(1_000));
    expect(Buffer.byteLength((await events())[0]?.['note'])).toBe(1_023);
  });

  it('that cannot be written is logged and written when it repeats', async () => {
    const { tell, lost, events } = givenRecorder(true);
    await tell('so');
    await tell('so');
    expect(lost).toEqual(['Failed to record event']);
    expect(await events()).toHaveLength(1);
  });
});

/** What client-go and kube-rs test of their recorders, by the names of their tests. */
describe('a recorder', () => {
  it('R32 TestLotsOfEvents: sends four at a time, lets 1,000 wait, and drops what comes meanwhile', async () => {
    const { recorder, asked, dropped, answer } = givenSlow();
    for (let n = 0; n < 2_000; n++) recorder.record(controller, resourceNamed(`web-${n}`), happening);
    expect([asked.length, dropped.length]).toEqual([4, 996]);
    await answer();
    expect(asked).toHaveLength(8);
    recorder.record(controller, resourceNamed('later'), happening);
    expect([asked.length, dropped.length]).toEqual([8, 996]);
    for (let n = 0; asked.length < 1_005 && n < 1_000; n++) await answer();
    expect(asked).toHaveLength(1_005);
    await answer();
  });

  it('R32 TestUpdateExpiredEvent: tells anew what the API server has forgotten', async () => {
    const { tell, events, memory } = givenRecorder();
    await tell('so');
    const [{ metadata } = expect.fail('no event')] = await events();
    await memory.remove(Event, metadata, { uid: metadata.uid });
    await tell('so');
    expect(await events()).toMatchObject([{ note: 'so' }]);
  });

  it('R32 event_recorder_cache_retain: remembers the last 4096 events, and no more', async () => {
    const { tell, events, clock } = givenRecorder();
    await tell('first', resourceNamed('first'));
    for (let n = 0; n < 4_096; n += 4) {
      await Promise.all([0, 1, 2, 3].map((more) => tell('so', resourceNamed(`web-${n + more}`))));
    }
    await clock.advance(1);
    await tell('first', resourceNamed('first'));
    await tell('so', resourceNamed('web-4095'));
    const all = await events();
    expect(all.filter(({ note }) => note === 'first')).toHaveLength(2);
    expect(all.filter(({ series }) => series)).toHaveLength(1);
  });

  it('R32 TestNonRacyShutdown: has told everything when it has settled', async () => {
    const { recorder, asked, answer } = givenSlow();
    recorder.record(controller, resource, happening);
    let isSettled = false;
    const settling = recorder.settle().then(() => {
      isSettled = true;
    });
    await settled();
    expect([asked.length, isSettled]).toEqual([1, false]);
    await answer();
    await settling;
    expect(isSettled).toBe(true);
  });

  it('R30 does not delay shutdown by events without an answer', async () => {
    const { recorder, clock } = givenSlow();
    recorder.record(controller, resource, happening);
    const settling = recorder.settle();
    await clock.advance(2_000);
    await settling;
  });
});

const happening = { type: 'Normal', reason: 'Why', note: 'so' } as const;

function resourceNamed(name: string) {
  return live(widget(name));
}

/** A recorder whose events are answered when the test calls. */
function givenSlow() {
  const clock = new FakeClock();
  const memory = new MemoryCluster();
  const asked: (() => void)[] = [];
  const dropped: string[] = [];
  const create: Cluster['create'] = async (...args) => {
    await new Promise<void>((resolve) => asked.push(resolve));
    return memory.create(...args);
  };
  const telemetry = { ...silent, eventDropped: ({ why }: { why: string }) => dropped.push(why) };
  const recorder = new EventRecorder({ cluster: { ...bound(memory), create }, clock, telemetry, instance: 'pod-1' });
  const answer = async () => {
    for (const resolve of asked) resolve();
    await settled();
  };
  return { recorder, clock, asked, dropped, answer };
}
