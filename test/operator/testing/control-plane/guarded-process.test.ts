import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { GuardedProcess } from '../../../../operator/testing/control-plane/guarded-process.js';
import { build } from '../../../given/build.js';
import { alive, descendantsOf } from '../../../processes.js';

const givenFolder = () => mkdtemp(join(tmpdir(), 'guarded-'));

describe('a guarded process', () => {
  it('reports the exit code of its component and its last lines', async () => {
    const folder = await givenFolder();
    const command = ['/bin/sh', '-c', 'echo one; echo two; echo three >&2; exit 3'];
    const guarded = new GuardedProcess({ name: 'component', command, folder });
    expect(await guarded.exited).toBe(3);
    expect(guarded.running).toBe(false);
    expect(await guarded.lastLines(2)).toBe('two\nthree');
    expect(existsSync(folder)).toBe(true);
    await rm(folder, { recursive: true });
  });

  it('can be killed, and the folder stays', async () => {
    const folder = await givenFolder();
    const guarded = new GuardedProcess({ name: 'component', command: ['sleep', '1000'], folder });
    await guarded.kill();
    expect(await guarded.exited).toBe(137);
    expect(existsSync(folder)).toBe(true);
    await rm(folder, { recursive: true });
  });

  it('can be killed with the processes of its group', async () => {
    const folder = await givenFolder();
    const command = ['setsid', '/bin/sh', '-c', 'sleep 1000 & echo $! >pid; wait'];
    const guarded = new GuardedProcess({ name: 'component', command, folder });
    const pid = await vi.waitUntil(() => Number(readFileSync(join(folder, 'pid'), { flag: 'a+' })), {
      timeout: 120_000,
    });
    await guarded.kill();
    await vi.waitUntil(() => !alive(pid), { timeout: 120_000 });
    await rm(folder, { recursive: true });
  });

  it('can be disposed of, which removes the folder', async () => {
    const folder = await givenFolder();
    const guarded = new GuardedProcess({ name: 'component', command: ['sleep', '1000'], folder });
    await guarded.dispose();
    expect(existsSync(folder)).toBe(false);
  });
});

describe('the components of a process that', () => {
  interface Ending {
    readonly when: string;
    /** What the process does then. */
    readonly code?: string;
    readonly signal?: NodeJS.Signals;
  }
  const endings: readonly Ending[] = [
    { when: 'exits', code: 'process.exit(0)' },
    { when: 'throws', code: 'throw new Error("unexpected")' },
    { when: 'gets SIGINT', signal: 'SIGINT' },
    { when: 'gets SIGTERM', signal: 'SIGTERM' },
    { when: 'gets SIGKILL', signal: 'SIGKILL' },
  ];

  it.each(endings)('$when are gone, and their folder too', async ({ code = '', signal }) => {
    const folder = await givenFolder();
    const parent = await startParent(folder, code);
    // For each of two components: the guard, its watcher, and the component.
    const started = await vi.waitUntil(() => sixOf(descendantsOf(parent.pid ?? 0)), { timeout: 120_000 });
    if (signal)
      process.kill(-(parent.pid ?? 0), signal); // to its group, as a terminal does
    else parent.stdin?.write('go on\n');
    await once(parent, 'exit');
    await vi.waitUntil(() => started.filter(alive).length === 0 && !existsSync(folder), { timeout: 120_000 });
  });

  const sixOf = (pids: readonly number[]) => (pids.length === 6 ? pids : undefined);

  async function startParent(folder: string, code: string): Promise<ChildProcess> {
    const url = resolve(build, 'operator/testing/control-plane/guarded-process.js');
    const script = `
      import { GuardedProcess } from ${JSON.stringify(url)};
      for (const name of ['one', 'two']) new GuardedProcess({ name, command: ['sleep', '1000'], folder: ${JSON.stringify(folder)} });
      process.stdin.once('data', () => { ${code} });
      console.log('started');`;
    const args = ['--input-type=module', '--eval', script];
    const parent = spawn(process.execPath, args, { detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
    await once(parent.stdout, 'data');
    return parent;
  }
});
