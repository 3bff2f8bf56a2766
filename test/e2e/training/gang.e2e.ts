import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TrainingJobSpecInput } from '../../../imports/index.js';
import { figure, seconds } from '../algorithm/figure.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { slower } from '../cluster/kill-mode.js';
import type { LivePod } from '../cluster/kinds.js';
import { Devices } from './devices.js';
import { holding, TriedTraining } from './tried-training.js';

const namespace = givenNamespace('training-gang');
const devices = new Devices('example.com/slot');

const held = (name: string, workers: number, changes: Partial<TrainingJobSpecInput> = {}) =>
  new TriedTraining(namespace, name, holding({ workers, ...changes }));

const isPlaced = ({ spec }: LivePod) => spec.nodeName !== undefined;
const placed = async (job: TriedTraining) => (await job.pods()).filter(isPlaced).length;
const runs = ({ phase }: { readonly phase?: string }) => phase === 'Running';

describe('line 1: the workers of a TrainingJob start together', () => {
  let nodes: readonly string[] = [];
  const jobs: TriedTraining[] = [];
  const given = (job: TriedTraining) => {
    jobs.push(job);
    return job;
  };
  const slots = { limits: { [devices.name]: 1 }, requests: { cpu: '10m', memory: '16Mi' } };

  beforeAll(async () => {
    nodes = await devices.nodes();
    for (const node of nodes) await devices.give(node, nodes.indexOf(node) < 3 ? 1 : 0);
  });
  afterAll(async () => {
    for (const job of jobs) await job[Symbol.asyncDispose]();
    await devices.takeAll();
  });

  it(
    'four workers wait while there is room for three, and start when there is room for all',
    async () => {
      const job = given(held('four', 4, { resources: slots }));
      await job.apply();
      const isTold = async () => (await job.condition('Scheduled')).includes('room for 3 of 4');
      await job.until('Scheduled says that there is room for 3 of 4', isTold);
      await pause(5_000);
      expect((await job.pods()).length).toBe(4);
      expect(await placed(job), 'no worker may have a node').toBe(0);
      const began = Date.now();
      await devices.give(nodes[0] ?? '', 2);
      await job.until('all workers run', runs);
      figure(1, `four workers run ${seconds(began, Date.now())} after there was room`);
      expect(await placed(job)).toBe(4);
      await job.delete();
    },
    180_000 * slower,
  );

  it(
    'of two jobs that each fit alone, one starts, and the other one holds nothing until the first is gone',
    async () => {
      const both = ['one', 'two'].map((name) => given(held(name, 3, { resources: slots })));
      await Promise.all(both.map((job) => job.apply()));
      const phases = async () => Promise.all(both.map(async (job) => (await job.status()).phase));
      await both[0]?.until('one of them runs', async () => (await phases()).includes('Running'));
      await pause(5_000);
      const first = both[(await phases()).indexOf('Running')] ?? expect.fail('none runs any more');
      const second = both.find((job) => job !== first) ?? expect.fail('there is one job');
      // Both may have opened at once. The one that did not get all nodes gives back those that it has.
      const isFew = async () => /^Queued: .*room for 1 of 3/.test(await second.condition('Scheduled'));
      await second.until('there is room for 1 of 3', isFew, 30);
      expect([await placed(first), await placed(second)], `${first.name} runs, ${second.name} waits`).toEqual([3, 0]);
      const began = Date.now();
      await first.delete();
      await second.until('it runs after the other one is gone', runs);
      figure(1, `the second job runs ${seconds(began, Date.now())} after the first was deleted`);
      await second.delete();
    },
    240_000 * slower,
  );

  it(
    'workers that do not all get a node in time give their nodes back',
    async () => {
      const apart = {
        labelSelector: { matchLabels: { 'reconstruct.dev/training-job': 'apart' } },
        topologyKey: 'kubernetes.io/hostname',
      };
      // The operator cannot foresee what anti-affinity allows.
      const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [apart] } };
      const resources = { requests: { cpu: '10m', memory: '16Mi' } };
      const changes = { resources, podTemplate: { affinity }, gang: { timeout: '10s' } };
      const job = given(held('apart', nodes.length + 1, changes));
      await job.apply();
      await job.until('all but one have a node', async () => (await placed(job)) === nodes.length);
      const before = (await job.pods()).filter(isPlaced).map(({ metadata }) => metadata.uid);
      const began = Date.now();
      const isBack = async () => {
        const now = (await job.pods()).map(({ metadata }) => metadata.uid);
        return !before.some((uid) => now.includes(uid));
      };
      await job.until('the Pods that had a node are gone', isBack, 60);
      figure(1, `nodes given back after ${seconds(began, Date.now())} with a timeout of 10 s`);
      await job.delete();
    },
    180_000 * slower,
  );
});
