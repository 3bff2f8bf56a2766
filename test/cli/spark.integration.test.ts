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
    ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'SparkJob', metadata: { name: 'clean' } },
    spec: { main: 'local:///app/clean.py' },
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
  await kubectl(['patch', 'sj', 'clean', '--subresource=status', '--type=merge', '--patch', patch]);
}

async function command(...args: readonly string[]) {
  const place = ['-n', namespace, '--kubeconfig', controlPlane.kubeconfig];
  await using running = new RunningCommand(['spark', ...args, ...place]);
  return { code: await running.exited, stdout: running.stdout, stderr: running.stderr };
}

test('spark attempts lists the attempts of a job', async () => {
  const entry = { run: 1, attempt: 1, pod: 'clean-1-1-driver', endTime: '2030-01-01T00:00:00Z' };
  await reported({ ended: [{ ...entry, exitCode: 1, reason: 'Error', budget: 'run' }] });
  const { code, stdout, stderr } = await command('attempts', 'clean');
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/^1 +1 +Error .* clean-1-1-driver/m);
});

test('spark logs reads the log of a driver through the API server', async () => {
  const driver = { pod: 'clean-1-1-driver', uid: 'uid', startTime: '2030-01-01T00:00:00Z' };
  await reported({ state: 'Running', run: 1, attempt: 1, driver });
  const absent = await command('logs', 'clean');
  expect(absent.code).toBe(2);
  expect(absent.stderr).toContain(`Pod ${namespace}/clean-1-1-driver does not exist, or no longer`);

  // Without a node, the API server answers a reader who found the right path.
  await kubectl(['apply', '-f', '-'], { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } });
  const spec = { containers: [{ name: 'driver', image: 'spark:4.3.0' }], automountServiceAccountToken: false };
  await kubectl(['apply', '-f', '-'], { apiVersion: 'v1', kind: 'Pod', metadata: { name: driver.pod }, spec });
  const { code, stderr } = await command('logs', 'clean', '--run', '1', '--attempt', '1');
  expect(code, stderr).toBe(0);
});

test.each([
  [['ui', 'clean'], 'has no driver that runs'],
  [['ui', 'clean', '--port', '0'], 'must be a port from 1 to 65535'],
  [['logs', 'clean', '--attempt', '0'], 'must be a number from 1'],
  [['attempts', 'clear'], '/clear not found'],
])('spark %j exits with 2, and says why', async (args, says) => {
  const { code, stderr } = await command(...args);
  expect(code).toBe(2);
  expect(stderr).toContain(says);
});
