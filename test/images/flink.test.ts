import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

/**
 * Plays Java: notes each call. Asked for the memory of a role, it answers as Flink does, among lines of a log. As a process
 * it prints its ID and its arguments, a line each.
 */
const java = `#!/bin/bash
printf '%s\\n' "$@" >>"$FLINK_HOME/calls"
[[ " $* " == *BashJavaUtils* ]] || { echo "$$"; printf '%s\\n' "$@"; exit; }
[[ -z \${REFUSAL:-} ]] || { echo "$REFUSAL"; exit 1; }
echo 'INFO loading'
[[ -n \${SILENT:-} ]] || printf 'BASH_JAVA_UTILS_EXEC_RESULT:%s\\n' '-Xmx1 -Xms1' '-D taskmanager.cpu.cores=2.0 -D x=1b'
`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flink-'));
  for (const each of ['bin', 'lib']) await mkdir(at(each));
  await writeFile(at('lib/flink-dist-2.3.0.jar'), '');
  await writeFile(at('bin/java'), java);
  await chmod(at('bin/java'), 0o755);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const at = (path: string) => join(folder, path);

/** Runs the entry point to its end. */
async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { PATH } = process.env;
  const child = spawn(resolve('images/flink/bin/entrypoint.sh'), args, {
    env: { PATH: `${at('bin')}:${PATH}`, FLINK_HOME: folder, ...env },
  });
  const ended = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  const [[exitCode], output, errors] = await ended;
  const [pid, ...lines] = output.trimEnd().split('\n');
  const main = lines.findIndex((line) => line.startsWith('org.apache.flink.'));
  const isSame = Number(pid) === child.pid;
  return { exitCode, isSame, options: lines.slice(0, main), main: lines.slice(main), output, errors };
}

/** The arguments of the call that asked for memory. */
const asked = async () => {
  const calls = (await readFile(at('calls'), 'utf8')).split('\n');
  const from = calls.indexOf('org.apache.flink.runtime.util.bash.BashJavaUtils') + 1;
  return calls.slice(from, calls.indexOf('-Xmx1')); // with which the process's own call begins
};

describe('a process of Flink', () => {
  test.each([
    {
      command: 'standalone-job',
      role: 'JM',
      main: 'org.apache.flink.container.entrypoint.StandaloneApplicationClusterEntryPoint',
    },
    {
      command: 'jobmanager',
      role: 'JM',
      main: 'org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint',
    },
    { command: 'taskmanager', role: 'TM', main: 'org.apache.flink.runtime.taskexecutor.TaskManagerRunner' },
  ])('starts by $command with its class, the memory of its role and its own arguments as they are', async (row) => {
    const own = ['-D', 'taskmanager.host=10.0.0.7', '--job-classname', 'a.B', 'a b', '*'];
    const { main, options, isSame } = await run([row.command, ...own]);
    const settings = ['--configDir', at('conf')];
    expect(main).toEqual([row.main, ...settings, '-D', 'taskmanager.cpu.cores=2.0', '-D', 'x=1b', ...own]);
    expect(options.slice(0, 2)).toEqual(['-Xmx1', '-Xms1']);
    expect(await asked()).toEqual([`GET_${row.role}_RESOURCE_PARAMS`, ...settings, ...own]);
    expect(isSame, 'no shell stays between the container and the program').toBe(true);
  });

  test('has all jars of Flink in its class path, and logs as the settings say', async () => {
    const { options } = await run(['taskmanager'], { FLINK_CONF_DIR: '/settings' });
    expect(options.slice(options.indexOf('-cp'))).toEqual(['-cp', `${at('lib')}/*`]);
    expect(options).toContain('-Dlog4j.configurationFile=file:/settings/log4j-console.properties');
  });

  test('has the options of Java that its environment adds', async () => {
    const { options } = await run(['taskmanager'], { FLINK_ENV_JAVA_OPTS: '-Da=1 -Db=2', JVM_ARGS: '-Dc=3' });
    expect(options.filter((option) => /^-D[abc]=/.test(option))).toEqual(['-Da=1', '-Db=2', '-Dc=3']);
  });

  test('takes each setting of FLINK_PROPERTIES, and an argument goes before it', async () => {
    const lines = ['# a comment', 'rest.port: 8082', '', '  s3.endpoint: http://store:7070  ', 'no setting'];
    const { main } = await run(['taskmanager', '-D', 'rest.port=9'], { FLINK_PROPERTIES: lines.join('\n') });
    expect(main.slice(7)).toEqual(['-D', 'rest.port=8082', '-D', 's3.endpoint=http://store:7070', '-D', 'rest.port=9']);
    expect(await asked()).toContain('s3.endpoint=http://store:7070');
  });

  test.each<{ what: string; env: Readonly<Record<string, string>> }>([
    { what: 'settings that Flink refuses', env: { REFUSAL: 'IllegalConfigurationException: no memory' } },
    { what: 'an answer without memory', env: { SILENT: '1' } },
  ])('does not start after $what, and repeats the message of Flink', async ({ env }) => {
    const { exitCode, errors } = await run(['taskmanager'], env);
    expect(exitCode).toBe(1);
    expect(errors).toContain(env['REFUSAL'] ?? 'Flink computed no memory: INFO loading');
    expect(await readFile(at('calls'), 'utf8'), 'no process was started').not.toContain('TaskManagerRunner');
  });
});

describe('another command', () => {
  test('runs as it is, and its exit code is that of the container', async () => {
    expect(await run(['bash', '-c', 'echo "$0" "$1"; exit 7', 'a', 'b c'])).toMatchObject({
      ...{ exitCode: 7, output: 'a b c\n' },
    });
  });
});
