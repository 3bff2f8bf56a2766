import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, vi } from 'vitest';

export const key = '-----BEGIN PRIVATE KEY-----\nKEY\n-----END PRIVATE KEY-----';
export const certificateOf = (name: string) => `-----BEGIN CERTIFICATE-----\n${name}\n-----END CERTIFICATE-----`;
export const chain = `${certificateOf('LEAF')}\n${certificateOf('INTERMEDIATE')}`;

/** Plays Java: records its arguments, and formats as StorageTool does unless FAILS is set. The node runs until the test ends it. */
const java = `#!/bin/bash
echo $$ >"$KAFKA_RUN/pid"
kind=node; [[ " $* " != *" kafka.tools.StorageTool "* ]] || kind=format
printf '%s\\n' "$@" >"$KAFKA_RUN/$kind.new" && mv "$KAFKA_RUN/$kind.new" "$KAFKA_RUN/$kind"
[[ $kind == format || $KAFKA_ROLE == controller ]] || exec sleep 600
[[ $kind == format ]] || { trap 'echo stopped >"$KAFKA_RUN/stopped"; exit 143' TERM; while :; do sleep 0.05; done; }
[[ -z \${FAILS:-} ]] || { printf 'Exception in thread "main" a reason\\n\\tat a.Class\\n'; exit 1; }
printf 'cluster.id=%s\\nnode.id=1\\n' "$KAFKA_CLUSTER_ID" >"$KAFKA_DATA/meta.properties"
`;

let folder: string;
let ends: (() => Promise<unknown>)[];

/** Gives each test of a file a folder with the programs and the settings of a node. */
export function useLauncher(): void {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kafka-node-'));
    ends = [];
    for (const each of ['bin', 'jars', 'data', 'run', 'settings/tls']) await mkdir(at(each), { recursive: true });
    await writeFile(at('bin/java'), java);
    await chmod(at('bin/java'), 0o755);
    await writeFile(at('jars/jmx_prometheus_javaagent-1.0.1.jar'), '');
    for (const role of ['broker', 'controller'])
      await writeFile(at(`settings/${role}.properties`), `process.roles=${role}\n`);
    await mount('nodes', { 'tls.key': key, 'tls.crt': chain, 'ca.crt': certificateOf('AUTHORITY') });
  });
  afterEach(async () => {
    await endAll();
    await rm(folder, { recursive: true, force: true });
  });
}

/** Ends all nodes of the test. */
export async function endAll(): Promise<void> {
  for (const end of ends) await end();
}

export const at = (path: string) => join(folder, path);
export const text = async (path: string) => readFile(at(path), 'utf8');

/** Replaces the files of a Secret at once, as the kubelet does. */
export async function mount(name: string, files: Readonly<Record<string, string>>): Promise<void> {
  const volume = at(`settings/tls/${name}`);
  const revision = await mkdtemp(at('settings/revision-'));
  await mkdir(volume, { recursive: true });
  for (const [file, content] of Object.entries(files)) {
    await writeFile(join(revision, file), content);
    await unlink(join(volume, file)).catch(() => {});
    await symlink(join('..data', file), join(volume, file));
  }
  await symlink(revision, join(volume, '..next'));
  await rename(join(volume, '..next'), join(volume, '..data'));
}

/** Runs the launcher. A variable that is empty is as one that is not set. */
export function launch(env: Readonly<Record<string, string>> = {}) {
  const child = spawn(resolve('images/kafka/bin/kafka-node'), {
    detached: true,
    env: {
      PATH: `${at('bin')}:${process.env['PATH']}`,
      KAFKA_JARS: at('jars'),
      KAFKA_SETTINGS: at('settings'),
      KAFKA_RUN: at('run'),
      KAFKA_DATA: at('data'),
      KAFKA_MESSAGES: at('message'),
      KAFKA_POLL_SECONDS: '0.05',
      KAFKA_ROLE: 'broker',
      KAFKA_CLUSTER_ID: '-ours',
      KAFKA_NODE_PROPERTIES: 'node.id=1\nlisteners=REPLICATION://:9091\n',
      ...env,
    },
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (more: string) => {
    stderr += more;
  });
  child.stdout.resume();
  const exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  // Also without the loop that follows the certificates: it shares the output.
  const closed = once(child, 'close');
  ends.push(async () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // All of its processes have ended.
    }
    await closed;
  });
  return { child, exited, closed, stderr: () => stderr };
}

/** The arguments of the Java that the launcher became. */
export async function started(env: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const { stderr } = launch(env);
  await vi.waitFor(() => expect(existsSync(at('run/node')), stderr()).toBe(true), { timeout: 120_000 });
  return (await text('run/node')).trimEnd().split('\n');
}

export async function refusal(env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { exited } = launch(env);
  expect(await exited).toEqual({ code: 1, signal: null });
  expect(existsSync(at('run/node'))).toBe(false);
  return (await text('message')).trimEnd();
}
