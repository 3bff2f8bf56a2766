import { App, Chart } from 'cdk8s';
import { describe, expect, it } from 'vitest';
import { kafkaClusterSpec, withDefaults } from '../../../../../crds/index.js';
import { planOf } from '../../../../../operator/controllers/kafka/cluster/plan/index.js';
import {
  hookAsked,
  jobProgress,
  renderHookJobs,
  restartReport,
} from '../../../../../operator/controllers/kafka/cluster/restart-hooks.js';
import type { Situation } from '../../../../../operator/controllers/kafka/cluster/situation.js';
import { kafkaHookJobName } from '../../../../../src/index.js';
import { now, situation, six } from '../given-kafka.js';

const job = { image: 'registry.example.com/hooks:1', command: ['./pause'] };
const hooks = { preRestart: { job }, postRestart: { job }, deadline: '10m' };
const specOf = (stated: object) =>
  withDefaults(kafkaClusterSpec, { brokers: { storage: { size: '1Gi' } }, hooks: stated } as never);
const spec = specOf(hooks);
const at = (ms: number) => new Date(now + ms).toISOString().replace('.000Z', 'Z');
type Restart = NonNullable<Situation['restart']>;

const running: Restart = {
  ...{ node: 'events-broker-0', target: 'r1', startedTime: at(-60_000) },
  ...{ preRestart: 'Running', postRestart: 'Pending' },
};
const failed: Restart = { ...running, preRestart: 'Failed' };
const succeeded: Restart = { ...running, preRestart: 'Succeeded' };
const followed: Restart = { ...succeeded, postRestart: 'Running', servedTime: at(-30_000) };

const idOf = (hook: string, restart = running) => `uid/events-broker-0/r1/${hook}/${restart.startedTime}`;
const own = spec.hooks?.preRestart?.job ?? job;
const name = (hook: string, stated: object = own) => kafkaHookJobName('events', idOf(hook), stated as never);
const pre = name('preRestart');
const post = name('postRestart');

const complete = { succeeded: 1, conditions: [{ type: 'Complete', status: 'True' }] };
const over = {
  failed: 7,
  conditions: [
    { type: 'Complete', status: 'False' },
    { type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded', message: 'Job has reached the backoff limit' },
  ],
};

interface Row {
  readonly restart?: Restart | undefined;
  /** The statuses of the Jobs that exist, by name. */
  readonly jobs?: Readonly<Record<string, object>>;
  readonly stated?: object;
  readonly isRestarted?: boolean;
}

function given({ restart, jobs = {}, stated = hooks, isRestarted = restart === followed }: Row) {
  const metadata = { name: 'events', namespace: 'shop', uid: 'uid', generation: 1 };
  const resource = { metadata, spec: specOf(stated), status: { ...(restart && { restart }) } } as never;
  const seen = situation(isRestarted ? six() : six({ 0: { revision: 'r0' } }), {
    ...{ hooks: { preRestart: true, postRestart: true }, restart },
  });
  const live = Object.entries(jobs).map(([name, status]) => ({ metadata: { name }, status }));
  const owned = { of: () => live } as never;
  const chart = new Chart(new App(), 'chart', { namespace: 'shop' });
  renderHookJobs(chart, resource, { situation: seen, owned });
  const progress = jobProgress(resource, owned);
  const report = restartReport(resource, { situation: seen, steps: planOf(seen).steps, progress });
  return { progress, report, rendered: chart.toJson(), question: hookAsked({ resource }) };
}

describe('the Job of a hook', () => {
  it.each<Row & { readonly are: readonly string[]; readonly when: string }>([
    { are: [], when: 'the status does not have the restart yet' },
    { are: [pre], when: 'it runs', restart: running },
    { are: [pre], when: 'it is there', restart: running, jobs: { [pre]: {} } },
    { are: [pre], when: 'it has failed: nothing runs it again', restart: failed, jobs: { [pre]: over } },
    { are: [pre], when: 'a person has deleted the one that failed', restart: failed },
    { are: [], when: 'it has succeeded, and was deleted', restart: succeeded },
    { are: [pre], when: 'it has succeeded, and has a log', restart: succeeded, jobs: { [pre]: complete } },
    {
      are: [],
      when: 'its time is over, and it goes on',
      restart: { ...running, preRestart: 'Expired' },
      jobs: { [pre]: { active: 1 } },
    },
    {
      are: [pre],
      when: 'its time is over, and it has failed: it has a log',
      restart: { ...running, preRestart: 'Expired' },
      jobs: { [pre]: over },
    },
    { are: [post], when: 'the broker serves again', restart: followed },
    { are: [pre, post], when: 'the one before the restart has a log', restart: followed, jobs: { [pre]: complete } },
    {
      are: [post],
      when: 'the broker was replaced before preRestart ended',
      restart: { ...followed, preRestart: 'Running' },
      jobs: { [pre]: { active: 1 } },
      isRestarted: true,
    },
    { are: [], when: 'the spec wants another state', restart: { ...running, target: 'r7' } },
    { are: [], when: 'the hook was removed', restart: running, stated: { postRestart: { job } } },
    {
      are: [],
      when: 'the hook became a request',
      restart: running,
      stated: { preRestart: { http: { url: 'https://a' } } },
    },
  ])('is $are when $when', ({ are, when: _, ...row }) => {
    expect(given(row).rendered.map(({ metadata }) => metadata.name)).toEqual(are);
  });

  it('goes on while its broker is not seen for a moment, because another run would begin from the start', () => {
    const ending = situation(six({ 0: { pod: 'ending' } }), {
      ...{ hooks: { preRestart: true, postRestart: true }, restart: followed },
    });
    const chart = new Chart(new App(), 'chart', { namespace: 'shop' });
    const resource = {
      metadata: { name: 'events', namespace: 'shop', uid: 'uid' },
      ...{ spec, status: { restart: followed } },
    } as never;
    const owned = { of: () => [{ metadata: { name: post }, status: { active: 1 } }] } as never;
    renderHookJobs(chart, resource, { situation: ending, owned });
    expect(chart.toJson().map(({ metadata }) => metadata.name)).toEqual([post]);
  });

  it('is another one after a correction of the spec, and for another restart', () => {
    const corrected = { ...hooks, preRestart: { job: { ...job, image: 'registry.example.com/hooks:2' } } };
    const [again] = given({ restart: running, jobs: { [pre]: over }, stated: corrected }).rendered;
    expect(again.metadata.name).not.toBe(pre);
    const [later] = given({ restart: { ...running, startedTime: at(0) } }).rendered;
    expect(later.metadata.name).not.toBe(pre);
  });

  it('asks no server', () => {
    expect(given({ restart: running }).question).toBeUndefined();
  });
});

describe('the record of a restart', () => {
  const told = (row: Row) => {
    const { status, events } = given(row).report;
    return [status.restart?.preRestart, ...events.map(({ reason }) => reason)];
  };
  it.each<Row & { readonly is: readonly string[]; readonly when: string }>([
    { is: ['Running'], when: 'the Job is not there yet', restart: running },
    { is: ['Running'], when: 'the Job runs', restart: running, jobs: { [pre]: { active: 1 } } },
    {
      is: ['Running'],
      when: 'a Pod succeeded, and the Job is not complete yet',
      restart: running,
      jobs: { [pre]: { succeeded: 1 } },
    },
    { is: ['Running'], when: 'a Pod of the Job failed', restart: running, jobs: { [pre]: { failed: 1 } } },
    { is: ['Succeeded', 'HookSucceeded'], when: 'the Job is complete', restart: running, jobs: { [pre]: complete } },
    { is: ['Failed', 'HookFailed'], when: 'the Job has failed', restart: running, jobs: { [pre]: over } },
    { is: ['Failed'], when: 'this was told', restart: failed, jobs: { [pre]: over } },
    { is: ['Running'], when: 'a person has deleted the Job that failed', restart: failed },
    { is: ['Succeeded', 'HookSucceeded'], when: 'another run is complete', restart: failed, jobs: { [pre]: complete } },
    {
      is: ['Expired', 'HookExpired'],
      when: 'the Job has failed, and the deadline has passed',
      restart: { ...failed, startedTime: at(-600_000) },
    },
    { is: ['Expired', 'HookExpired'], when: 'the Job is too late', restart: { ...running, startedTime: at(-600_000) } },
  ])('has preRestart $is when $when', ({ is, when: _, ...row }) => {
    expect(told(row)).toEqual(is);
  });

  it('says what the Job came to, and what to do', () => {
    const [event] = given({ restart: running, jobs: { [pre]: over } }).report.events;
    expect(event?.note).toBe(
      `The hook preRestart of events-broker-0 has failed, and the rollout waits until 10m have passed: Job ${pre} has failed: BackoffLimitExceeded, Job has reached the backoff limit; see "kubectl describe job ${pre}", then correct the hook, or delete the Job to run it again`,
    );
    expect(given({ restart: running, jobs: { [pre]: { failed: 2 } } }).progress?.problem).toBe(
      `Job ${pre} is not complete, and 2 of its Pods failed; see "kubectl describe job ${pre}"`,
    );
  });
});
