import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CertifiedKey } from '../../../operator/certificates/authority.js';
import type { Kubelet } from './kubelet.js';
import { objectStoreLine, objectStoreProgram } from './object-store-program.js';

/** A server that speaks S3 over TLS and keeps what it is given in a folder. */
export class ObjectStore {
  private constructor(
    readonly server: ChildProcess,
    /** The folder of what it keeps. */
    readonly data: string,
  ) {}

  /** Starts one, which is built on first use. @param host the name that its certificate has */
  static async start(kubelet: Kubelet, { host, certified, bucket }: Serving): Promise<ObjectStore> {
    const folder = join(kubelet.folder, 'store');
    await mkdir(join(folder, 'data', bucket), { recursive: true });
    await mkdir(join(folder, 'facts'));
    await writeFile(join(folder, 'tls.crt'), certified.certificate);
    await writeFile(join(folder, 'tls.key'), certified.key);
    const address = `${await kubelet.named(host)}:9000`;
    const line = objectStoreLine(await objectStoreProgram(), folder, address);
    const server = spawn('nsenter', [...kubelet.onNetwork, ...line], { stdio: ['ignore', 'pipe', 'pipe'] });
    await answering(server, kubelet, address);
    return new ObjectStore(server, join(folder, 'data'));
  }

  /** Cuts the last of its files that match to half of what they are. @returns what makes it whole again */
  async spoil(pattern: RegExp): Promise<() => Promise<void>> {
    const path = await this.#like(pattern, -1);
    const content = await readFile(path);
    await writeFile(path, content.subarray(0, content.length / 2));
    return () => writeFile(path, content);
  }

  /** Loses one of its files that match, by its place among them. @returns what brings it back */
  async lose(pattern: RegExp, at: number): Promise<() => Promise<void>> {
    const path = await this.#like(pattern, at);
    const aside = join(this.data, '..', 'lost');
    await rename(path, aside);
    return () => rename(aside, path);
  }

  async #like(pattern: RegExp, at: number): Promise<string> {
    const path = (await readdir(this.data, { recursive: true }))
      .filter((one) => pattern.test(one))
      .toSorted()
      .at(at);
    if (path === undefined) throw new Error(`the store has nothing like ${pattern}`);
    return join(this.data, path);
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

/** @throws {Error} with its output if it exits */
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
