import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

/** Plays a program: prints its process ID and its arguments, a line each. */
const echo = '#!/bin/bash\necho "$$"\nprintf "%s\\n" "$@"\n';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spark-'));
  for (const each of ['bin', 'tmp', 'proc']) await mkdir(at(each));
  await program('spark-submit', echo);
  await program('java', echo);
  await program('getent', '#!/bin/bash\necho somebody\n');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const at = (path: string) => join(folder, path);

async function program(name: string, content: string): Promise<void> {
  await writeFile(at(`bin/${name}`), content);
  await chmod(at(`bin/${name}`), 0o755);
}

function start(script: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const own = { SPARK_HOME: folder, SPARK_INIT: '', TMPDIR: at('tmp'), SPARK_PROCESSES: at('proc') };
  const { PATH } = process.env;
  const child = spawn(resolve('images/spark/bin', script), args, {
    env: { PATH: `${at('bin')}:${PATH}`, ...own, ...env },
  });
  return { child, ended: Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]) };
}

/** Runs the entry point to its end. */
async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { child, ended } = start('entrypoint.sh', args, env);
  const [[exitCode], output, errors] = await ended;
  const [pid, ...lines] = output.trimEnd().split('\n');
  return { exitCode, pid: Number(pid), isSame: Number(pid) === child.pid, lines, output, errors };
}

describe('a driver', () => {
  test('is submitted with its address, and with its own arguments as they are', async () => {
    const args = ['--properties-file', '/opt/spark/p', 'local:///app/a b.py', '*'];
    const { lines, isSame } = await run(['driver', ...args], { SPARK_DRIVER_BIND_ADDRESS: '10.0.0.7' });
    expect(lines).toEqual([
      ...['--conf', 'spark.driver.bindAddress=10.0.0.7'],
      ...['--conf', 'spark.executorEnv.SPARK_DRIVER_POD_IP=10.0.0.7'],
      ...['--deploy-mode', 'client', ...args],
    ]);
    expect(isSame, 'no shell stays between the container and the program').toBe(true);
  });

  test('does not start without its address', async () => {
    const { exitCode, errors } = await run(['driver', 'local:///app/a.py']);
    expect(exitCode).toBe(1);
    expect(errors).toContain('SPARK_DRIVER_BIND_ADDRESS: must be the IP address of the Pod');
  });
});

describe('an executor', () => {
  const env = {
    ...{ SPARK_DRIVER_URL: 'spark://x@10.0.0.7:7078', SPARK_EXECUTOR_ID: '3', SPARK_EXECUTOR_CORES: '2' },
    ...{ SPARK_APPLICATION_ID: 'clean-1-1', SPARK_EXECUTOR_POD_IP: '10.0.0.8', SPARK_RESOURCE_PROFILE_ID: '0' },
    ...{ SPARK_EXECUTOR_POD_NAME: 'clean-1-1-exec-3', SPARK_EXECUTOR_MEMORY: '512m' },
  };

  test('has the address of its driver, its number and its Pod', async () => {
    const { lines, isSame } = await run(['executor'], env);
    expect(lines.slice(lines.indexOf('-cp') + 2)).toEqual([
      'org.apache.spark.scheduler.cluster.k8s.KubernetesExecutorBackend',
      ...['--driver-url', 'spark://x@10.0.0.7:7078', '--executor-id', '3', '--cores', '2', '--app-id', 'clean-1-1'],
      ...['--hostname', '10.0.0.8', '--resourceProfileId', '0', '--podName', 'clean-1-1-exec-3'],
    ]);
    expect(isSame).toBe(true);
  });

  test('has the options of Java in the order of their numbers, each as one argument', async () => {
    const options = Array.from({ length: 12 }, (_, number) => `-Dnumber=${number} *`);
    const named = Object.fromEntries(options.map((option, number) => [`SPARK_JAVA_OPT_${number}`, option]));
    const { lines } = await run(['executor'], { ...env, ...named });
    expect(lines.slice(0, lines.indexOf('-cp'))).toEqual([...options, '-Xms512m', '-Xmx512m']);
  });

  test.each([
    { when: 'no variable is set', own: {}, path: (home: string) => `${home}/conf:${home}/jars/*` },
    {
      when: 'all variables are set',
      own: {
        ...{ SPARK_CONF_DIR: '/c', HADOOP_CONF_DIR: '/h', SPARK_CLASSPATH: '/own' },
        ...{ SPARK_EXTRA_CLASSPATH: '/extra', SPARK_DIST_CLASSPATH: '/dist' },
      },
      path: (home: string) => `/c:/h:/own:${home}/jars/*:/extra:/dist`,
    },
  ])('has settings before jars in its class path if $when', async ({ own, path }) => {
    const { lines } = await run(['executor'], { ...env, ...own } as Record<string, string>);
    expect(lines[lines.indexOf('-cp') + 1]).toBe(path(folder));
  });

  test('is stopped only when its blocks are moved', async () => {
    await copyFile('/bin/bash', at('bin/java'));
    const worker = spawn(at('bin/java'), [
      '-c',
      'trap "moved=1" PWR; echo up; until [ "$moved" ]; do sleep 0.05; done',
    ]);
    await once(worker.stdout, 'data');
    await symlink(`/proc/${worker.pid}`, at(`proc/${worker.pid}`));
    await symlink(`/proc/${process.pid}`, at(`proc/${process.pid}`));
    const end = once(worker, 'exit');
    const [[exitCode]] = await start('decom.sh').ended;
    expect(await end).toEqual([0, null]);
    expect(exitCode).toBe(0);
  });
});

describe('another command', () => {
  test('runs as it is, and its exit code is that of the container', async () => {
    expect(await run(['bash', '-c', 'echo "$0" "$1"; exit 7', 'a', 'b c'])).toMatchObject({
      ...{ exitCode: 7, output: 'a b c\n' },
    });
  });
});

describe('a user without a name', () => {
  beforeEach(() => program('getent', '#!/bin/bash\nexit 2\n'));
  const show = ['bash', '-c', 'echo "$NSS_WRAPPER_PASSWD"; echo "$LD_PRELOAD"'];

  test('gets one for this container', async () => {
    const { output } = await run(show, { HOME: '/tmp/home', NSS_WRAPPER_LIBRARY: 'libnss_wrapper.so' });
    expect(output).toBe(`${at('tmp/passwd')}\nlibnss_wrapper.so\n`);
    const { getuid, getgid } = process;
    expect(await readFile(at('tmp/passwd'), 'utf8')).toBe(
      `spark:x:${getuid?.()}:${getgid?.()}:spark:/tmp/home:/usr/sbin/nologin\n`,
    );
  });

  test('prints what to do if no name can be written, and runs the command', async () => {
    const { output, errors } = await run(show, { TMPDIR: at('absent') });
    expect(output).toBe('\n\n');
    expect(errors).toMatch(/^user \d+ has no name and .*absent\/passwd cannot be written: mount an emptyDir there/);
  });
});

describe('the exception of a Python driver', () => {
  const message = () => readFile(at('message'), 'utf8').catch(() => undefined);
  const python = async (program: string, env: Readonly<Record<string, string>>) => {
    const own = { PYTHONPATH: resolve('images/spark/python'), PYTHONDONTWRITEBYTECODE: '1' };
    const args = ['python3', '-c', `import spark_driver_fault\n${program}`];
    return run(args, { ...own, SPARK_TERMINATION_LOG: at('message'), ...env });
  };
  const driver = { SPARK_DRIVER_BIND_ADDRESS: '10.0.0.7' };

  test('is the termination message, and is printed with its trace', async () => {
    const { exitCode, errors } = await python('raise ValueError("no orders of " + "2026-11-26")', driver);
    expect(exitCode).toBe(1);
    expect(await message()).toBe('ValueError: no orders of 2026-11-26\n');
    expect(errors).toMatch(/^Traceback .*no orders of 2026-11-26/s);
  });

  test('is cut after two kibibytes', async () => {
    await python('raise ValueError("begin " + 9999 * "x" + " end")', driver);
    expect(await message()).toMatch(/^ValueError: begin x{2030}$/);
  });

  test('is printed if it cannot be written', async () => {
    const { errors } = await python('raise ValueError("boom")', {
      ...driver,
      SPARK_TERMINATION_LOG: at('absent/message'),
    });
    expect(errors).toMatch(/^Traceback .*boom/s);
  });

  test.each([
    { when: 'the program exits by a code', program: 'import sys\nsys.exit(2)', env: driver, exitCode: 2 },
    { when: 'the program is no driver', program: 'raise ValueError("boom")', env: {}, exitCode: 1 },
  ])('is not written if $when', async ({ program, env, exitCode }) => {
    expect(await python(program, env as Record<string, string>)).toMatchObject({ exitCode });
    expect(await message()).toBeUndefined();
  });
});
