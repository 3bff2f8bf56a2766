import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { freePort } from '../../../../operator/testing/control-plane/free-port.js';
import { ControlPlane } from '../../../../operator/testing/index.js';
import { build } from '../../../given/build.js';
import { alive, descendantsOf } from '../../../processes.js';

vi.mock('../../../../operator/testing/control-plane/free-port.js', { spy: true });

describe('a control plane', () => {
  it('keeps its state and its address when the API server is killed and started again', async () => {
    await using controlPlane = await ControlPlane.start();
    await controlPlane.kubectl(['create', 'namespace', 'kept']);
    await controlPlane.killApiServer();
    expect((await controlPlane.kubectl(['get', 'namespace', 'kept'])).stderr).toContain('refused');
    await controlPlane.startApiServer();
    expect(await controlPlane.kubectl(['get', 'namespace', 'kept'])).toMatchObject({ code: 0 });
    await expect(controlPlane.startApiServer()).rejects.toThrow('kube-apiserver is already running; stop it first');
  });

  it('uses another port if the first one is taken, admits Pods, and removes its folder', async () => {
    const somebody = createServer().listen(await freePort(), '127.0.0.1');
    await once(somebody, 'listening');
    const { port } = somebody.address() as AddressInfo;
    vi.mocked(freePort).mockResolvedValueOnce(port);
    await using controlPlane = await ControlPlane.start({ controllerManager: 'none' });
    expect(controlPlane.url).not.toBe(`https://127.0.0.1:${port}`);
    const { stdout } = await controlPlane.kubectl(['cluster-info']);
    expect(stdout).toContain(controlPlane.url);
    somebody.close();
    expect(await controlPlane.kubectl(['run', 'probe', '--image', 'probe'])).toMatchObject({ code: 0 });
    await expect(controlPlane.requests()).rejects.toThrow('start it with { audit: true }');
    expect(existsSync(controlPlane.kubeconfig)).toBe(true);
    await controlPlane.stop();
    expect(existsSync(controlPlane.location.folder)).toBe(false);
    await controlPlane.stop();
  });

  it('with flags that a component refuses, fails with the end of its log and leaves nothing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'own-'));
    vi.stubEnv('TMPDIR', folder);
    const refused = ControlPlane.start({ apiServerFlags: { 'no-such-flag': 'x' } });
    await expect(refused).rejects.toThrow(/kube-apiserver exited with code 1.*unknown flag: --no-such-flag/s);
    vi.unstubAllEnvs();
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  });

  it('is gone with all its processes and data when its process is killed with SIGKILL', async () => {
    const script = `
import { ControlPlane } from ${JSON.stringify(resolve(build, 'operator/testing/index.js'))};
      const { location } = await ControlPlane.start();
      console.log(location.folder);`;
    const args = ['--input-type=module', '--eval', script];
    const parent = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(parent.stdout, 'data');
    const folder = String(line).trim();
    // etcd, API server, controller manager: each with guard and watcher.
    const started = descendantsOf(parent.pid ?? 0);
    expect(started.filter(alive)).toHaveLength(9);
    expect(existsSync(folder)).toBe(true);
    parent.kill('SIGKILL');
    await vi.waitUntil(() => started.filter(alive).length === 0 && !existsSync(folder), { timeout: 120_000 });
  });
});
