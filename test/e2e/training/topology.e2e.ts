import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { figure, seconds } from '../algorithm/figure.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { slower } from '../cluster/kill-mode.js';
import { kubectl } from '../cluster/kubectl.js';
import { Devices } from './devices.js';
import { holding, TriedTraining } from './tried-training.js';

const namespace = givenNamespace('training-topology');
const devices = new Devices('example.com/place');
/** Each node is a rack of its own, so that the test decides how much room a rack has. */
const key = 'kubernetes.io/hostname';
const resources = { limits: { [devices.name]: 1 }, requests: { cpu: '10m', memory: '16Mi' } };

describe('a TrainingJob with a required topology', () => {
  const spec = holding({ workers: 3, resources, topology: { key, policy: 'Required' } });
  const job = new TriedTraining(namespace, 'near', spec);
  let nodes: readonly string[] = [];
  const place = (index: number) => nodes[index] ?? expect.fail(`the cluster has ${nodes.length} nodes`);
  const places = async () => (await job.pods()).map(({ spec: { nodeName = 'none' } }) => nodes.indexOf(nodeName));
  const runsAt = (index: number) => async () => {
    const { phase } = await job.status();
    return phase === 'Running' && (await places()).join() === [index, index, index].join();
  };

  beforeAll(async () => {
    nodes = await devices.nodes();
    for (const node of nodes) await devices.give(node, node === nodes[0] || node === nodes[1] ? 2 : 0);
    await job.apply();
  });
  afterAll(async () => {
    await job[Symbol.asyncDispose]();
    await devices.takeAll();
  });

  it(
    'waits while no rack has room for all, although there is room enough in two',
    async () => {
      const isTold = async () => /have the most, for 2 of 3$/.test(await job.condition('Scheduled'));
      await job.until('Scheduled has the rack with the most room', isTold);
      await pause(5_000);
      expect(await places(), 'no worker may have a node').toEqual([-1, -1, -1]);
    },
    120_000 * slower,
  );

  it(
    'starts in one rack that has room for all',
    async () => {
      const began = Date.now();
      await devices.give(place(0), 5);
      await devices.give(place(1), 4);
      await job.until('all workers run in a rack', async () => (await places()).every((one) => one >= 0));
      const [first = -1] = await places();
      await job.until('all workers run in the same rack', runsAt(first), 60);
      figure(1, `three workers run in one rack ${seconds(began, Date.now())} after it had room`);
    },
    120_000 * slower,
  );

  it(
    'replaces a worker in the same rack',
    async () => {
      const [first = -1] = await places();
      const before = (await job.pods()).map(({ metadata }) => metadata.uid);
      await kubectl(['--namespace', namespace, 'delete', 'pod', 'near-1-0', '--wait=false']);
      const isReplaced = async () => {
        const now = (await job.pods()).map(({ metadata }) => metadata.uid);
        return !now.includes(before[1] ?? '') && (await runsAt(first)());
      };
      await job.until('the worker runs again', isReplaced);
    },
    120_000 * slower,
  );

  it(
    'chooses a rack again after a pause',
    async () => {
      await job.apply({ suspend: true });
      await job.until('it is suspended', ({ phase }) => phase === 'Suspended');
      await devices.give(place(0), 1);
      await devices.give(place(1), 1);
      await devices.give(place(2), 3);
      await job.apply({ suspend: false });
      await job.until('all workers run in the rack that has room now', runsAt(2));
      await job.delete();
    },
    180_000 * slower,
  );
});
