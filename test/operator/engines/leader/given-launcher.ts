import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { go } from '../../../../operator/testing/binaries/go.js';

const inPath = (program: string) =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((file) => existsSync(file));

/** A server by its name: `LEADER_SERVERS` is such as `redis-7=/usr/bin/redis-server,valkey-8=/opt/valkey-server`. */
export const redisServers: readonly (readonly [name: string, program: string])[] = (() => {
  const given = (process.env['LEADER_SERVERS'] ?? '').split(',').flatMap((pair) => {
    const [name, program] = pair.split('=');
    return name && program ? [[name, program] as const] : [];
  });
  const installed = inPath('redis-server');
  return given.length > 0 || !installed ? given : [['redis', installed] as const];
})();

/** Why the tests are skipped, if they are. */
export const launcherAbsence =
  redisServers.length === 0
    ? "the tests of launchers require Debian's redis-server: apt-get install it, or set LEADER_SERVERS"
    : inPath('setpriv') === undefined
      ? 'the tests of launchers require setpriv of util-linux'
      : undefined;

/** Builds the launcher as its image does. @returns the program */
export async function builtLauncher(folder: string): Promise<string> {
  const program = join(folder, 'leader-launcher');
  const module = resolve('images/leader-launcher');
  await go(['build', '-trimpath', '-buildvcs=false', '-o', program, '.'], {
    folder: module,
    env: { ...process.env, CGO_ENABLED: '0' },
  });
  return program;
}
