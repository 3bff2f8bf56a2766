import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { launcherAbsence, redisServers } from '../../operator/engines/leader/given-launcher.js';

if (launcherAbsence !== undefined) console.warn(launcherAbsence);

function go(...args: readonly string[]) {
  return spawnSync('go', args, {
    ...{ cwd: 'images/leader-launcher', encoding: 'utf8' },
    env: {
      ...process.env,
      ...{ CGO_ENABLED: '0', GOWORK: 'off', LEADER_SERVERS: redisServers.map((pair) => pair.join('=')).join(',') },
    },
  });
}

test('the launcher is formatted, and needs no module', () => {
  expect(go('vet', './...').stderr).toBe('');
  expect(go('list', '-m', 'all').stdout.trim()).toBe('reconstruct.dev/leader-launcher');
}, 600_000);

test.skipIf(launcherAbsence)(
  'the launcher serves nobody without a role, a Lease or the promises of all candidates: its own tests pass',
  () => {
    const { status, stdout } = go('test', '-count=1', './...');
    expect(status, stdout.slice(-8_000)).toBe(0);
  },
  900_000,
);
