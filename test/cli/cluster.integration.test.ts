import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { givenControlPlane } from '../given/control-plane.js';
import { RunningCommand } from './demo/running-command.js';

const controlPlane = givenControlPlane();

test('cluster starts nodes on which Pods become ready, and Ctrl-C deletes all of it', async () => {
  await using running = new RunningCommand(['cluster', '--nodes=1']);
  await running.said('press Ctrl-C');
  const kubeconfig = /KUBECONFIG=(\S+)/.exec(running.stdout)?.[1] ?? '';
  const { kubectl } = controlPlane.location;
  const [program = '', ...first] = kubectl;
  const run = async (...args: readonly string[]) =>
    (await promisify(execFile)(program, [...first, `--kubeconfig=${kubeconfig}`, ...args])).stdout;
  await run('create', 'deployment', 'web', '--image=web:1');
  expect(await run('rollout', 'status', 'deployment', 'web', '--timeout=60s')).toContain('successfully rolled out');
  const { started } = running;
  running.signal('SIGINT');
  await running.exited;
  await running.nothingLeft(started);
});

test('cluster names a number of nodes that it cannot start', async () => {
  await using running = new RunningCommand(['cluster', '--nodes=none']);
  expect(await running.exited).toBe(1);
  expect(running.stderr).toBe('reconstruct: nodes: Invalid value: NaN: must be an integer from 0 to 1000\n');
});
