import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { absence } from './kubelet.js';

const absent = absence();
if (absent) console.warn(`skipped: exit codes of programs of Patroni: ${absent}`);

/** Runs programs that fail in the place of Patroni's own work, and prints the exit codes that it sees. */
const program = `
import runpy, subprocess
import patroni.__main__
def probe():
    codes = [subprocess.run(["sh", "-c", "exit 3"], capture_output=True).returncode for _ in range(20)]
    print("".join(map(str, codes)), flush=True)
patroni.__main__.patroni_main = probe
runpy.run_path(${JSON.stringify(resolve('images/postgres/bin/patroni'))}, run_name="__main__")`;

test.skipIf(absent).each([
  { as: 'the first process of a container', line: ['unshare', '--pid', '--fork', '--kill-child', '/usr/bin/python3'] },
  { as: 'another process', line: ['/usr/bin/python3'] },
])('line 22: Patroni as $as sees that a program failed', async ({ line: [command = '', ...line] }) => {
  const PYTHONPATH = resolve('images/postgres/bin');
  const env = { ...process.env, PYTHONPATH, PYTHONDONTWRITEBYTECODE: '1' };
  const { stdout } = await promisify(execFile)(command, [...line, '-c', program], { env });
  expect(stdout.trim()).toBe('3'.repeat(20));
});
