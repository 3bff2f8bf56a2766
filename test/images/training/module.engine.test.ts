import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const python = process.env['RECONSTRUCT_PYTHON'] ?? '/usr/bin/python3';
const folder = 'images/training';

/** Why the tests of the module cannot run here. Undefined if they can. */
function absence(): string | undefined {
  const { status, error } = spawnSync(python, ['-c', 'import pytest, torch'], { encoding: 'utf8' });
  if (error) return `${python} does not run: ${error.message}`;
  return status === 0 ? undefined : `${python} has no torch and pytest; install python3-torch and python3-pytest`;
}

const absent = absence();
if (absent !== undefined) console.warn(`the training module is not tested: ${absent}`);

test.skipIf(absent)(
  'the training module recovers over real gloo: its own tests pass',
  () => {
    const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests'];
    const { status, stdout } = spawnSync(python, args, {
      ...{ cwd: folder, encoding: 'utf8', env: { ...process.env, OMP_NUM_THREADS: '1', PYTHONDONTWRITEBYTECODE: '1' } },
    });
    expect(status, stdout.slice(-4_000)).toBe(0);
  },
  600_000,
);
