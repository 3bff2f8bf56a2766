import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TrainingJobSpecInput } from '../../../imports/index.js';
import { figure } from '../algorithm/figure.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { slower } from '../cluster/kill-mode.js';
import { kubectl } from '../cluster/kubectl.js';
import { givePrograms, small, TriedTraining } from './tried-training.js';

const namespace = givenNamespace('training-ends');

/** Two workers. @param env of the program */
function pair(name: string, env: Readonly<Record<string, number>>, changes: Partial<TrainingJobSpecInput> = {}) {
  const spec = { ...small({ STEPS: 400, STEP_PAUSE: 0.05, ...env }), workers: 2, ...changes };
  return new TriedTraining(namespace, name, spec);
}

describe('jobs that cannot go on', () => {
  const few = { perWindow: 1, fullPerWindow: 1 };
  const failing = pair('failing', { FAILS_AT: 3 }, { restarts: few });
  const nan = pair('nan', { NAN_AT: 30 }, { checkpoint: { size: '64Mi', every: 10 } });
  const early = pair('early', { EXITS_AT: 5 }, { restarts: few });
  const plain = new TriedTraining(namespace, 'plain', {
    ...{ ...small({ STEPS: 60 }, 'plain.py'), workers: 2, recovery: 'Restart' },
  });
  const hasFailed = ({ phase }: { readonly phase?: string }) => phase === 'Failed';

  beforeAll(() => givePrograms(namespace));
  afterAll(async () => {
    for (const job of [failing, nan, early, plain]) await job[Symbol.asyncDispose]();
  });

  it(
    'line 5: a rank that always fails: one repair, one restart of all without its node, one repair, then Failed',
    async () => {
      await failing.apply();
      await failing.until('its Pods have a node', async () => (await placesOf(failing)).length === 2);
      const first = (await placesOf(failing)).map(({ uid }) => uid);
      const isAgain = async ({ restarts }: { readonly restarts?: { readonly full: number } }) => {
        const others = (await placesOf(failing)).filter(({ uid }) => !first.includes(uid));
        return restarts?.full === 1 && others.length === 2;
      };
      const again = await failing.until('all Pods have a node after the restart of all', isAgain, 180);
      const [second, bad = 'none'] = again.faults?.map(({ node }) => node).slice(-2) ?? [];
      expect(second, 'the first two faults must be on one node').toBe(bad);
      expect(
        (await placesOf(failing)).map(({ node }) => node),
        `${bad} had two faults`,
      ).not.toContain(bad);
      const ended = await failing.until('it has failed', hasFailed, 180);
      figure(5, `${ended.restarts?.total} faults, ${ended.restarts?.full} restart of all, then ${ended.phase}`);
      expect({ ...ended.restarts, windowStart: '' }).toEqual({ partial: 2, full: 1, total: 4, windowStart: '' });
      expect(await failing.condition('Training')).toMatch(/^RestartsExhausted: .*perWindow \(1\).*fullPerWindow \(1\)/);
      await failing.until('its Pods are gone', async () => (await failing.pods()).length === 0);
    },
    420_000 * slower,
  );

  it(
    'line 4: a loss that is NaN at the same step again: Failed, with the step',
    async () => {
      await nan.apply();
      const ended = await nan.until('it has failed', hasFailed, 180);
      expect(await nan.condition('Training')).toMatch(/^LossNotFinite: .*step 30 is not finite again/);
      const found = ended.faults?.map(({ kind, step }) => `${kind} at ${step}`);
      expect(found).toEqual(['NonFiniteLoss at 30', 'NonFiniteLoss at 30']);
    },
    240_000 * slower,
  );

  it(
    'line 10: a rank that ends early without an error is a fault, and the job does not succeed',
    async () => {
      await early.apply();
      const ended = await early.until('it has ended', ({ completionTime }) => completionTime !== undefined, 240);
      expect(ended.phase).toBe('Failed');
      const kinds = new Set(ended.faults?.map(({ kind }) => kind));
      expect([...kinds]).toEqual(['EndedEarly']);
      expect(ended.faults?.[0]?.rank).toBe(1);
    },
    300_000 * slower,
  );

  it(
    'line 9: with recovery Restart, a program without the module starts again as a whole, and succeeds',
    async () => {
      await plain.apply();
      await plain.until('it trains', () => (plain.steps().at(-1)?.step ?? 0) >= 5);
      const before = (await plain.pods()).map(({ metadata }) => metadata.uid);
      await plain.tell('plain-1-0', 'exit');
      const isAgain = async () => {
        const now = (await plain.pods()).map(({ metadata }) => metadata.uid);
        return now.length === 2 && !now.some((uid) => before.includes(uid));
      };
      await plain.until('both Pods are replaced', isAgain);
      const ended = await plain.until('it has succeeded', ({ phase }) => phase === 'Succeeded', 180);
      expect(ended.restarts?.partial).toBe(1);
      expect(ended.faults?.map(({ grade }) => grade)).toContain('Job');
      expect(plain.steps().at(-1)?.step).toBe(60);
    },
    300_000 * slower,
  );
});

describe('a job that succeeds with cleanPods None', () => {
  const job = pair('kept', {}, { cleanPods: 'None' });
  const uids = async () => (await job.pods()).map(({ metadata }) => metadata.uid);
  const haveEnded = async () => (await job.pods()).every(({ status }) => status?.phase === 'Succeeded');

  beforeAll(() => givePrograms(namespace));
  afterAll(() => job[Symbol.asyncDispose]());

  it(
    'line 10: keeps all of its Pods with their logs',
    async () => {
      await job.apply();
      await job.until('its Pods have a node', async () => (await placesOf(job)).length === 2);
      const before = await uids();
      await job.until('it has succeeded', ({ phase }) => phase === 'Succeeded', 180);
      await job.until('all of its Pods have succeeded', haveEnded);
      await job.until('its coordinator is gone', async () => (await job.coordinator()) === undefined);
      await pause(5_000);
      expect(await uids(), 'the Pods that trained are there').toEqual(before);
      for (const { metadata } of await job.pods()) {
        const log = await kubectl(['--namespace', namespace, 'logs', metadata.name, '-c', 'trainer']);
        expect(log, `the log of ${metadata.name} has the last step`).toMatch(/^STEP 400 /m);
      }
      expect(await job.condition('Scheduled'), 'no Pod was stopped').toBe(
        'Completed: The job has ended and needs no nodes',
      );
    },
    300_000 * slower,
  );
});

/** The Pods that have a node and stay. */
async function placesOf(job: TriedTraining) {
  const pods = await job.pods();
  return pods.flatMap(({ metadata, spec }) =>
    spec.nodeName === undefined || metadata.deletionTimestamp !== undefined
      ? []
      : [{ node: spec.nodeName, uid: metadata.uid }],
  );
}
