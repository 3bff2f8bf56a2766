import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('the launcher decides by values: its tables pass', () => {
  const { status, stdout, stderr } = spawnSync('go', ['test', './election', './application', './kubernetes'], {
    ...{ cwd: 'images/leader-launcher', encoding: 'utf8' },
    env: { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' },
  });
  expect(status, `${stdout}${stderr}`.slice(-4_000)).toBe(0);
}, 600_000);
