import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Config } from '../../../operator/config/config.js';
import { runProcess } from '../../../operator/process/run-process.js';

const { argv, exitCode } = process;
beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => {
  process.argv = argv;
  process.exitCode = exitCode;
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

it('lists its options when it is asked to', async () => {
  process.argv = ['node', 'main.js', '--help'];
  await runProcess([]);
  expect(vi.mocked(console.log).mock.lastCall?.[0]).toMatch(/^usage: operator \[options\]\n\n {2}--/);
});

it('creates its ports from the options', async () => {
  process.argv = ['node', 'main.js', '--allowed-addresses=*.example.org'];
  const ports = ({ allowedAddresses }: Config): never => {
    throw new Error(`allowed: ${allowedAddresses}`);
  };
  await runProcess([], { ports });
  expect(vi.mocked(console.error).mock.calls).toEqual([['operator: allowed: *.example.org']]);
});

it.each([
  { what: 'an unknown option', args: ['--colour=red'], kubeconfig: '', line: /^operator: .*\n.*--colour/ },
  {
    what: 'a kubeconfig that is not there',
    args: [],
    kubeconfig: '/nowhere/config',
    line: /^operator: .*\/nowhere\/config/,
  },
])('tells of $what without a stack, and fails', async ({ args, kubeconfig, line }) => {
  process.argv = ['node', 'main.js', ...args];
  vi.stubEnv('KUBECONFIG', kubeconfig);
  await runProcess([]);
  expect(vi.mocked(console.error).mock.calls).toEqual([[expect.stringMatching(line)]]);
  expect(vi.mocked(console.error).mock.lastCall?.[0]).not.toMatch(/^ +at /m);
  expect(process.exitCode).toBe(1);
});
