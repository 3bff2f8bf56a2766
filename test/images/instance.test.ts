import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';

/** Holds a volume as an instance does, and becomes another program then, as that becomes Patroni. */
const holding = `
import importlib.machinery, importlib.util, os, sys
sys.path.insert(0, "images/postgres/bin")
loader = importlib.machinery.SourceFileLoader("instance", "images/postgres/bin/instance")
instance = importlib.util.module_from_spec(importlib.util.spec_from_loader("instance", loader))
loader.exec_module(instance)
instance.hold(sys.argv[1], instance.tell_that_it_waits)
os.execv("/bin/sh", ["sh", "-c", "echo runs; read line"])
`;

let volume: string;
let processes: ChildProcess[] = [];
beforeEach(() => {
  volume = mkdtempSync(join(tmpdir(), 'volume-'));
});
afterEach(() => {
  for (const one of processes) one.kill('SIGKILL');
  processes = [];
  rmSync(volume, { recursive: true, force: true });
});

/** Starts an instance on the volume. @returns what ends it, and its next line */
function started(): { readonly process: ChildProcess; readonly line: () => Promise<string> } {
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawn('python3', ['-c', holding, volume], { stdio: ['pipe', 'pipe', 'inherit'], env });
  processes.push(child);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return { process: child, line: async () => String((await lines.next()).value) };
}

test('line 2: an instance waits while another process uses its volume', async () => {
  const first = started();
  expect(await first.line()).toBe('runs');
  const second = started();
  expect(await second.line()).toContain('an earlier Pod that still runs on this volume');
  const order: string[] = [];
  const running = second.line().then((line) => order.push(`the second ${line}`));
  // Until a third one waits too, the second would long have gone on.
  const third = started();
  await third.line();
  await killed(third.process);
  order.push('the first is killed');
  await killed(first.process);
  await running;
  expect(order).toEqual(['the first is killed', 'the second runs']);
});

async function killed(process: ChildProcess): Promise<void> {
  process.kill('SIGKILL');
  await once(process, 'close');
}
