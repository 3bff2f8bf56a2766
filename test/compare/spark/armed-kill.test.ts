import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { ArmedKill, isArmed } from './armed-kill.js';

/** A process, and what kills it when it is told to. */
async function armed() {
  const victim = spawn('sleep', ['600']);
  const ended = once(victim, 'exit').then(([, signal]) => String(signal));
  const kill = await ArmedKill.start(['-c', `echo ${isArmed}; read line && kill -9 ${victim.pid}`], 'sh');
  return { victim, ended, kill };
}

test('a process is killed as soon as the command is asked to kill it', async () => {
  const { ended, kill } = await armed();
  kill.fire();
  expect(await ended).toBe('SIGKILL');
  await kill.end();
});

test('nothing is killed if the command ends before it is asked to kill', async () => {
  const { victim, ended, kill } = await armed();
  await kill.end();
  victim.kill('SIGTERM');
  expect(await ended).toBe('SIGTERM');
});

test('a command that does not wait is an error with the output of the command', async () => {
  await expect(ArmedKill.start(['-c', 'echo no such Pod'], 'sh')).rejects.toThrow('got no such Pod');
  await expect(ArmedKill.start(['-c', 'exit 1'], 'sh')).rejects.toThrow('got nothing: it ended');
});
