import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { OperatorProcess } from '../../../cli/demo/operator-process.js';
import { build } from '../../given/build.js';

const temporary = mkdtempSync(join(tmpdir(), 'operator-process-'));

// Compiled, since the operator that it starts lies next to it.
let operators: { readonly OperatorProcess: typeof OperatorProcess };
beforeAll(async () => {
  operators = await import(resolve(build, 'cli/demo/operator-process.js'));
  vi.stubEnv('TMPDIR', temporary);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(temporary, { recursive: true });
});

const unreachable = JSON.stringify({
  'current-context': 'a',
  contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
  clusters: [{ name: 'a', cluster: { server: 'https://127.0.0.1:1' } }],
  users: [{ name: 'a', user: { token: 'a' } }],
});

test.each([
  ['--wrong is not an option', unreachable, ['--wrong']],
  ['has no current-context', '{}', []],
])('an operator that does not start says why, and leaves nothing behind: %s', async (why, text, args) => {
  const started = operators.OperatorProcess.start({ kubeconfig: { text }, args });
  await expect(started).rejects.toThrow(/the operator did not become ready; end of its log:\n/);
  await expect(started).rejects.toThrow(why);
  expect(readdirSync(temporary)).toEqual([]);
});
