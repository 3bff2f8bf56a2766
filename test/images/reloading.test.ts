import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';

const reloading = resolve('images/postgres/bin/reloading');
/** Prints its start, each reload, and the certificate. */
const program = `
import os, signal, sys
read = lambda: open(sys.argv[1]).read()
signal.signal(signal.SIGHUP, lambda *_: print("again", os.getpid(), read(), flush=True))
print("begun", os.getpid(), read(), flush=True)
while True: signal.pause()
`;

let folder: string;
let child: ChildProcessWithoutNullStreams;
let lines: AsyncIterator<string>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reloading-'));
  await writeFile(join(folder, 'tls.crt'), 'one');
  const run = ['python3', '-c', program, join(folder, 'tls.crt')];
  child = spawn('python3', [reloading, '--every=0.02', folder, ...run]);
  lines = createInterface(child.stdout)[Symbol.asyncIterator]();
});
afterEach(async () => {
  child.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

const next = async () => (await lines.next()).value;
/** As a kubelet does: whole, and at once. */
const put = async (text: string) => {
  await writeFile(join(folder, '.new'), text);
  await rename(join(folder, '.new'), join(folder, 'tls.crt'));
};

test('a program replaces its launcher and is notified of each new certificate', async () => {
  expect(await next()).toBe(`begun ${child.pid} one`);
  await put('two');
  expect(await next()).toBe(`again ${child.pid} two`);
  await put('three');
  expect(await next()).toBe(`again ${child.pid} three`);
});

test('the watcher ends with the program', async () => {
  await next();
  child.kill('SIGTERM');
  // It shares the output, which ends when no process can write to it.
  await once(child, 'close');
  expect(child.signalCode).toBe('SIGTERM');
});
