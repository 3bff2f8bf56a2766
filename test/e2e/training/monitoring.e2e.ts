import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TrainingJobSpecInput } from '../../../imports/index.js';
import { projectImage } from '../../images/project-images.js';
import { freeze } from '../cluster/faults.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { kubectl } from '../cluster/kubectl.js';
import { AlertWatch, unwatched, watchNote } from '../monitoring/alert-watch.js';
import { Devices } from './devices.js';
import { elastic, givePrograms, holding, TriedTraining } from './tried-training.js';

const namespace = givenNamespace('training-watched');
/** Each worker of the job that trains needs one. */
const desks = new Devices('example.com/desk');
/** The job that waits for room needs one. */
const stools = new Devices('example.com/stool');
const light = { requests: { cpu: '10m', memory: '16Mi' } };

const held = (name: string, changes: Partial<TrainingJobSpecInput>) =>
  new TriedTraining(namespace, name, holding({ workers: 1, resources: light, ...changes }));

const digits = new TriedTraining(
  namespace,
  'digits',
  elastic(desks.name, { workers: 2, minWorkers: 1, replaceWithin: '5s' }),
);
const waiting = held('waiting', { resources: { ...light, limits: { [stools.name]: 1 } } });
const unpulled = held('unpulled', { image: 'registry.alien6.io/reconstruct/training:absent' });
const failing = held('failing', {
  command: ['false'],
  restarts: { perWindow: 4, fullPerWindow: 0, avoidNodeAfter: 20 },
});

/** The alerts about one job have its name. Those on a condition have its reason. */
const digitsIs = (alertname: string) => ({ alertname, namespace, name: digits.name });
const faultsOften = { alertname: 'TrainingFaultsOften', namespace, name: failing.name };

describe.skipIf(unwatched)(`line 12: the alerts of TrainingJobs in a real Prometheus${watchNote}`, () => {
  let watch: AlertWatch;
  let nodes: readonly string[] = [];

  beforeAll(async () => {
    await givePrograms(namespace);
    nodes = await desks.nodes();
    for (const node of nodes) {
      await desks.give(node, nodes.indexOf(node) < 2 ? 1 : 0);
      await stools.give(node, 0);
    }
    watch = await AlertWatch.start('training', 12);
    await watch.untilCalm(namespace);
    await digits.apply();
  });
  afterAll(async () => {
    for (const job of [digits, waiting, unpulled, failing]) {
      await job.delete().catch(() => {});
      await job[Symbol.asyncDispose]();
    }
    for (const device of [desks, stools]) await device.takeAll();
    await watch?.stop();
  });

  /** The job loses a worker soon after it began to train, and continues without it until there is room. */
  const loseWorker = async () => {
    await digits.untilTraining({ within: 180 });
    // Only what happens after the operator has seen a step counts.
    await digits.until('its time is counted', ({ goodput }) => goodput !== undefined);
    // The volume is that of the worker with the index 0.
    const { pod, node } = (await digits.ranks()).find(({ rank }) => rank === 1) ?? expect.fail('there is no rank 1');
    const begin = async () => {
      await desks.give(node, 0);
      await kubectl(['--namespace', namespace, 'delete', 'pod', pod, '--wait=false']);
      // The pause is more than a fifth of the short time since the first step.
      await watch.untilFiring(digitsIs('TrainingGoodputLow'));
    };
    const end = () => desks.give(node, 1);
    await watch.show({ alert: { alertname: 'TrainingReduced', reason: 'FewerWorkers' }, begin, end }, 150);
  };

  it('a job without room, one without an image, one that always fails, and one that loses a worker', async () => {
    await Promise.all([
      loseWorker(),
      watch.show({
        alert: { alertname: 'TrainingQueued', reason: 'Queued' },
        begin: () => waiting.apply(),
        end: () => stools.give(nodes[0] ?? '', 1),
      }),
      watch.show({
        alert: { alertname: 'TrainingDown', reason: 'ImageUnavailable' },
        begin: () => unpulled.apply(),
        end: () => unpulled.apply({ image: projectImage('training') }),
      }),
      watch.untilFiring(faultsOften, { within: 180 }),
      watch.show({
        alert: { alertname: 'TrainingFailed', reason: 'RestartsExhausted' },
        begin: async () => {
          await failing.apply();
          await failing.until('it has failed', ({ phase }) => phase === 'Failed', 180);
        },
        end: () => failing.delete(),
      }),
    ]);
  }, 420_000);

  it('a coordinator that does not answer', async () => {
    await digits.untilTraining();
    const coordinator = (await digits.coordinator()) ?? expect.fail('there is no coordinator');
    await watch.show({
      alert: { alertname: 'TrainingCoordinatorUnreachable', reason: 'CoordinatorUnreachable' },
      begin: () => freeze(coordinator, 'SIGSTOP', projectImage('training')),
      end: () => freeze(coordinator, 'SIGCONT', projectImage('training')),
    });
  });

  it('most of the time went into steps again, and the faults were long ago', async () => {
    await Promise.all([
      watch.untilOver(digitsIs('TrainingGoodputLow'), { within: 200 }),
      // The window of the rule is 2 minutes here.
      watch.untilOver(faultsOften, { within: 150 }),
    ]);
  });

  it('no other rule is left', async () => {
    expect(await watch.unfired()).toEqual([]);
  });
});
