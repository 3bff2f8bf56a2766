import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, lutimes, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const program = resolve('images/reload-signal/reload-signal.mjs');
/** The name of the process of this run, which no other process has. */
const name = `reloaded${process.pid}`;
const script = `#!/bin/bash
trap 'echo signal' HUP
echo started
while :; do sleep 0.05; done
`;

let folder: string;
const children: ChildProcessWithoutNullStreams[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reload-signal-'));
  await writeFile(join(folder, name), script);
  await chmod(join(folder, name), 0o755);
  await put('one');
  // The kubelet mounts the files before it starts the containers.
  const earlier = new Date(Date.now() - 3_600_000);
  await lutimes(join(folder, '..data'), earlier, earlier);
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  await rm(folder, { recursive: true });
});

/** As a kubelet does: a new folder, and the link to it at once. */
async function put(files: string): Promise<void> {
  await mkdir(join(folder, `..${files}`));
  await symlink(`..${files}`, join(folder, '..data_tmp'));
  await rename(join(folder, '..data_tmp'), join(folder, '..data'));
}

function start(command: string, ...args: readonly string[]) {
  const child = spawn(command, args);
  children.push(child);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return { child, next: async () => (await lines.next()).value as string };
}

const watcher = (...options: readonly string[]) =>
  start(
    process.execPath,
    program,
    '--directory',
    folder,
    '--process',
    name,
    '--every',
    '0.05',
    '--settle',
    '0',
    ...options,
  );

describe('line 8: a process', () => {
  it('gets one signal for each replacement of the files', async () => {
    const reloaded = start(join(folder, name));
    expect(await reloaded.next()).toBe('started');
    const { next } = watcher();
    for (const files of ['two', 'three']) {
      await put(files);
      expect(await reloaded.next()).toBe('signal');
      expect(JSON.parse(await next())).toMatchObject({
        message: 'Sent signal',
        pid: reloaded.child.pid,
        files: `..${files}`,
      });
    }
  });

  it('gets the signal that its container missed while it restarted', async () => {
    const reloaded = start(join(folder, name));
    await reloaded.next();
    await put('two');
    const first = watcher();
    expect(JSON.parse(await first.next())).toMatchObject({ files: '..two' });
    expect(await reloaded.next()).toBe('signal');
  });

  it('gets none that it may not handle yet', async () => {
    const reloaded = start(join(folder, name));
    await reloaded.next();
    await put('two');
    const { next } = watcher('--settle', '3600');
    const other = watcher('--settle', '0');
    // The other watcher has signalled by then, at the same interval.
    await other.next();
    const silent = Symbol('silent');
    expect(await Promise.race([next(), new Promise((done) => setImmediate(done, silent))])).toBe(silent);
  });
});

describe('the container that sends signals', () => {
  it.each([
    { options: ['--signal', 'HUP'], problem: '--signal must be a signal such as SIGHUP, got HUP' },
    { options: ['--every', '0'], problem: '--every must be more than 0 seconds, and --settle 0 or more' },
  ])('refuses $options', async ({ options, problem }) => {
    const { child } = watcher(...options);
    const [said] = (await once(child.stderr, 'data')) as [Buffer];
    expect(said.toString()).toBe(`reload-signal: ${problem}\n`);
    expect(await once(child, 'exit')).toEqual([2, null]);
  });
});
