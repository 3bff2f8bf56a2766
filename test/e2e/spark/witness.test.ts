import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let witness: ChildProcess;
let address: string;
beforeEach(async () => {
  const started = spawn('python3', [resolve('test/e2e/spark/witness.py'), '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  witness = started;
  const [port] = await once(started.stdout, 'data');
  address = `http://127.0.0.1:${String(port).trim()}/`;
});
afterEach(async () => {
  witness.kill();
  await once(witness, 'exit');
});

/** @returns whether the driver may go on */
async function post(uid: string, step: number): Promise<boolean> {
  const body = JSON.stringify({ driver: `clean-1-${uid}-driver`, uid, step });
  const { ok, status } = await fetch(address, { method: 'POST', body });
  expect([200, 409]).toContain(status);
  return ok;
}
const heard = async () => (await fetch(address)).json();

test('a witness counts the steps of drivers that follow one another', async () => {
  for (const [uid, step] of [
    ['1', 1],
    ['1', 2],
    ['2', 1],
  ] as const)
    expect(await post(uid, step)).toBe(true);
  expect(await heard()).toMatchObject({
    processes: [
      { driver: 'clean-1-1-driver', uid: '1', steps: 2 },
      { driver: 'clean-1-2-driver', uid: '2', steps: 1 },
    ],
    overlaps: [],
  });
});

test('a witness refuses a driver that lives on after the next one began, and says so', async () => {
  await post('1', 1);
  await post('2', 1);
  expect(await post('1', 2)).toBe(false);
  expect(await post('2', 2)).toBe(true);
  expect(await heard()).toMatchObject({ overlaps: [{ uid: '1', after: '2' }] });
});
