import { beforeAll, beforeEach, expect, test } from 'vitest';
import { install } from '../acceptance/given/operator.js';
import { freshNamespace, givenControlPlane } from '../given/control-plane.js';
import { RunningCommand } from './demo/running-command.js';

const controlPlane = givenControlPlane();
let namespace: string;

beforeAll(() => install(controlPlane));
beforeEach(async () => {
  namespace = await freshNamespace(controlPlane);
  await kubectl(['apply', '-f', '-'], {
    ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'TrainingJob', metadata: { name: 'digits' } },
    spec: { image: 'training:1', command: ['python3', 'train.py'] },
  });
});

async function kubectl(args: readonly string[], input?: object): Promise<void> {
  const options = input === undefined ? {} : { input: JSON.stringify(input) };
  const { code, stderr } = await controlPlane.kubectl([...args, '--namespace', namespace], options);
  expect(code, stderr).toBe(0);
}

/** Reports what the operator would. */
async function reported(status: object): Promise<void> {
  const patch = JSON.stringify({ status: { observedGeneration: 1, ...status } });
  await kubectl(['patch', 'tj', 'digits', '--subresource=status', '--type=merge', '--patch', patch]);
}

const command = (...args: readonly string[]) =>
  new RunningCommand(['training', ...args, '-n', namespace, '--kubeconfig', controlPlane.kubeconfig]);

test('training watch prints each change, and ends with the job', async () => {
  await reported({ phase: 'Running', ready: '1/1', rendezvous: 1 });
  await using running = command('watch', 'digits', '--until-done');
  await running.said('phase Running, 1/1 workers, generation 1');
  await reported({ phase: 'Failed', completionTime: '2030-01-01T00:00:00Z' });
  expect(await running.exited, running.stderr).toBe(1);
  expect(running.stdout).toContain('phase Failed');
});

test('training watch exits with 2 without a job', async () => {
  await using absent = command('watch', 'digit');
  expect(await absent.exited).toBe(2);
  expect(absent.stderr).toContain(`TrainingJob ${namespace}/digit not found`);
});
