import { App, Chart } from 'cdk8s';
import { describe, expect, it } from 'vitest';
import { kafkaClusterSpec, withDefaults } from '../../../../../crds/index.js';
import { planOf } from '../../../../../operator/controllers/kafka/cluster/plan/index.js';
import {
  hookAsked,
  hookCall,
  httpProgress,
  renderHttpHook,
  restartReport,
} from '../../../../../operator/controllers/kafka/cluster/restart-hooks.js';
import type { Situation } from '../../../../../operator/controllers/kafka/cluster/situation.js';

import type { HookAnswer } from '../../../../../operator/members/index.js';
import { type CallState, ExternalCall, type Polled } from '../../../../../operator/runtime/index.js';
import { answer, now, situation, six } from '../given-kafka.js';

const http = { url: 'https://hooks.example.com/kafka', secretRef: { name: 'token' } };
const hooks = { preRestart: { http }, postRestart: { http }, deadline: '10m' };
const spec = withDefaults(kafkaClusterSpec, { brokers: { storage: { size: '1Gi' } }, hooks });
const at = (ms: number) => new Date(now + ms).toISOString().replace('.000Z', 'Z');
type Restart = NonNullable<Situation['restart']>;
const record: Restart = {
  node: 'events-broker-0',
  target: 'r1',
  startedTime: at(-60_000),
  preRestart: 'Running',
  postRestart: 'Pending',
};
const followed: Restart = { ...record, preRestart: 'Succeeded', postRestart: 'Running', servedTime: at(-60_000) };
const state = (is: HookAnswer['state']): Polled<HookAnswer> => ({
  known: true,
  value: { state: is },
  at: now,
  earlier: [],
});
const refused: CallState = {
  state: 'failed',
  kind: 'retryable',
  why: 'hooks.example.com answered 503',
  since: now,
  count: 0,
};

/** A cluster whose broker 0 is outdated, or has just been restarted. */
function given(restart: Restart | undefined, changes: Partial<Situation> = {}, isRestarted = restart === followed) {
  const metadata = { name: 'events', namespace: 'shop', uid: 'uid', generation: 1 };
  const resource = { metadata, spec, status: { observedGeneration: 1, ...(restart && { restart }) } };
  const seen = situation(isRestarted ? six() : six({ 0: { revision: 'r0' } }), {
    ...{ hooks: { preRestart: true, postRestart: true }, restart, ...changes },
  });
  const report = (polled: Polled<HookAnswer> = state('unknown'), call: CallState = { state: 'none' }) =>
    restartReport(resource as never, {
      ...{ situation: seen, steps: planOf(seen).steps },
      progress: httpProgress(resource as never, { polled, call }),
    });
  const rendered = (polled: Polled<HookAnswer> | undefined = state('unknown')) => {
    const chart = new Chart(new App(), 'chart');
    renderHttpHook(chart, resource as never, { situation: seen, polled });
    const call = chart.node.tryFindChild(hookCall);
    return call && ExternalCall.isExternalCall(call) ? call.props : undefined;
  };
  return { report, rendered, question: hookAsked({ resource: resource as never })?.question };
}

describe('the record of a restart', () => {
  it('is written before the restart, with what is interrupted', () => {
    const cluster = answer({ load: { 0: { unavoidable: 7, blocking: 7, blockingNames: ['logs-0', 'logs-1'] } } });
    const { status, events, requeueAfter } = given(undefined, { cluster }).report();
    expect(status.restart).toEqual({
      ...{ node: 'events-broker-0', target: 'r1', startedTime: at(0), preRestart: 'Running', postRestart: 'Pending' },
      ...{ interrupted: ['logs-0', 'logs-1'], interruptedPartitions: 7 },
    });
    expect(events.map(({ type, reason }) => `${type} ${reason}`)).toEqual(['Warning PartitionsInterrupted']);
    expect(requeueAfter).toBe(1_000);
  });

  it.each([
    { is: 'Running', events: [], when: 'the server has confirmed nothing', restart: record },
    {
      is: 'Succeeded',
      events: ['HookSucceeded'],
      when: 'the server has confirmed it',
      restart: record,
      polled: state('confirmed'),
    },
    {
      is: 'Expired',
      events: ['HookExpired'],
      when: 'the deadline has passed: never skipped, only late',
      restart: { ...record, startedTime: at(-600_000) },
    },
    {
      is: 'Running',
      events: [],
      when: 'the deadline has a second left',
      restart: { ...record, startedTime: at(-599_000) },
    },
  ])('has preRestart $is when $when', ({ is, events, restart, polled }) => {
    const report = given(restart).report(polled);
    expect(report.status.restart?.preRestart).toBe(is);
    expect(report.events.map(({ reason }) => reason)).toEqual(events);
  });

  it('has the words of the server when the deadline has passed, and wakes at the deadline', () => {
    const late = given({ ...record, startedTime: at(-600_000) }).report(state('unknown'), refused);
    expect(late.events[0]?.note).toBe(
      'The hook preRestart of events-broker-0 did not succeed within 10m, so the rollout continues: hooks.example.com answered 503',
    );
    expect(given(record).report().requeueAfter).toBe(540_000);
  });

  it('has postRestart running as soon as the broker serves, with a time of its own', () => {
    const restart: Restart = { ...record, preRestart: 'Expired', startedTime: at(-6_000_000) };
    const { status } = given(restart, {}, true).report();
    expect(status.restart).toMatchObject({ postRestart: 'Running', servedTime: at(0) });
  });

  it('has postRestart succeeded when the server has confirmed it', () => {
    expect(given(followed).report(state('confirmed')).status.restart?.postRestart).toBe('Succeeded');
  });

  it('is dropped when the spec changes before the restart', () => {
    expect(given({ ...record, target: 'r7' }, {}, true).report().status).toEqual({});
  });
});

describe('the request of a hook', () => {
  it('tells the server which broker is restarted, and what is interrupted', () => {
    const { request, secret } =
      given({ ...record, interrupted: ['logs-0'], interruptedPartitions: 1 }).rendered() ?? {};
    const id = `uid/events-broker-0/r1/preRestart/${at(-60_000)}`;
    expect(request).toEqual({
      ...{ id, url: http.url },
      restart: {
        ...{ id, hook: 'preRestart', namespace: 'shop', cluster: 'events', broker: 0, pod: 'events-broker-0' },
        ...{ interrupted: ['logs-0'], interruptedPartitions: 1 },
      },
    });
    expect(secret).toBe('token');
  });

  it.each([
    { is: 'none', when: 'the status does not have the restart yet', restart: undefined },
    { is: 'none', when: 'the server has confirmed it', restart: record, polled: state('confirmed') },
    { is: 'none', when: 'the spec wants another state', restart: { ...record, target: 'r7' } },
    { is: 'preRestart', when: 'it runs', restart: record },
    { is: 'postRestart', when: 'the restarted broker serves', restart: followed },
    { is: 'none', when: 'postRestart has not begun', restart: { ...record, preRestart: 'Succeeded' } as Restart },
    {
      is: 'postRestart',
      when: 'the broker was replaced before preRestart ended',
      restart: { ...followed, preRestart: 'Running' } as Restart,
      isRestarted: true,
    },
  ])('is $is when $when', ({ is, restart, polled, isRestarted }) => {
    const request = given(restart, {}, isRestarted).rendered(polled)?.request as
      | { restart: { hook: string } }
      | undefined;
    expect(request?.restart.hook ?? 'none').toBe(is);
  });

  it('is not sent while nobody knows whether the server has confirmed it', () => {
    const unknown: Polled<HookAnswer> = { known: false, why: 'no answer yet', since: now, earlier: [] };
    expect(given(record).rendered(unknown)).toBeUndefined();
  });

  it('is another one for a later restart to the same state', () => {
    expect(given(record).question?.id).not.toBe(given({ ...record, startedTime: at(0) }).question?.id);
  });
});
