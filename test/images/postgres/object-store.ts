import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CertifiedKey } from '../../../operator/certificates/authority.js';
import { programStore } from '../../../operator/testing/binaries/cache-folder.js';
import { go } from '../../../operator/testing/binaries/go.js';
import type { Kubelet } from './kubelet.js';

const module = join(import.meta.dirname, 'object-store');
const program = 'github.com/versity/versitygw/cmd/versitygw';

/** The keys that it knows. */
export const keys = { accessKeyId: 'a-key', secretAccessKey: 'its-secret' };

/** A server that speaks S3 over TLS and keeps what it is given in a folder. */
export class ObjectStore {
  private constructor(readonly server: ChildProcess) {}

  /** Starts one, which is built on first use. @param host the name that its certificate has */
  static async start(kubelet: Kubelet, { host, certified, bucket }: Serving): Promise<ObjectStore> {
    const folder = join(kubelet.folder, 'store');
    await mkdir(join(folder, 'data', bucket), { recursive: true });
    await mkdir(join(folder, 'facts'));
    await writeFile(join(folder, 'tls.crt'), certified.certificate);
    await writeFile(join(folder, 'tls.key'), certified.key);
    const address = `${await kubelet.named(host)}:9000`;
    const tls = ['--cert', join(folder, 'tls.crt'), '--key', join(folder, 'tls.key')];
    const who = ['--access', keys.accessKeyId, '--secret', keys.secretAccessKey];
    const what = ['posix', '--sidecar', join(folder, 'facts'), join(folder, 'data')];
    const line = [await built(), '--port', address, ...tls, ...who, ...what];
    const server = spawn('nsenter', [...kubelet.onNetwork, ...line], { stdio: ['ignore', 'pipe', 'pipe'] });
    await answering(server, kubelet, address);
    return new ObjectStore(server);
  }

  async end(): Promise<void> {
    this.server.kill('SIGKILL');
    if (this.server.exitCode === null && this.server.signalCode === null) await once(this.server, 'exit');
  }
}

interface Serving {
  readonly host: string;
  readonly certified: CertifiedKey;
  readonly bucket: string;
}

/** The program in the user's cache, built if it is not there: another version has another path. */
async function built(): Promise<string> {
  const sources = await Promise.all(['go.mod', 'go.sum'].map((name) => readFile(join(module, name), 'utf8')));
  const key = createHash('sha256').update(sources.join('\n')).digest('hex').slice(0, 12);
  const path = join(programStore(process.env, 'object-store'), key, 'versitygw');
  if (existsSync(path)) return path;
  console.error(`building ${program} once, in about a minute on 2 cores: ${path}`);
  await mkdir(dirname(path), { recursive: true });
  const partial = await mkdtemp(`${path}-partial-`);
  try {
    const output = join(partial, 'versitygw');
    await go(['build', '-trimpath', '-buildvcs=false', '-ldflags', '-s -w', '-o', output, program], {
      ...{ folder: module, env: process.env },
    });
    await rename(output, path);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return path;
}

/** @throws {Error} with what it said, when it ends instead */
async function answering(server: ChildProcess, kubelet: Kubelet, address: string): Promise<void> {
  let said = '';
  for (const stream of [server.stdout, server.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  for (;;) {
    if (server.exitCode !== null) throw new Error(`the object store ended: ${said}`);
    const [host = '', port = ''] = address.split(':');
    const asked = spawn('nsenter', [...kubelet.onNetwork, 'bash', '-c', `exec 3<>/dev/tcp/${host}/${port}`]);
    const [code] = await once(asked, 'exit');
    if (code === 0) return;
    await sleep(100);
  }
}
