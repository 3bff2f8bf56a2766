import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CertificateAuthority } from '../../../../operator/certificates/authority.js';
import type { SecretData } from '../../../../operator/runtime/ports/external-port.js';
import { freePort } from '../../../../operator/testing/control-plane/free-port.js';
import { GuardedProcess } from '../../../../operator/testing/control-plane/guarded-process.js';
import { secretOf } from './given-etcd.js';

/** A real etcd of one member on this machine. It does not outlive this process. */
export class PlainEtcd {
  #process: GuardedProcess | undefined;

  private constructor(
    readonly folder: string,
    readonly ports: Readonly<Record<'client' | 'peer', number>>,
    /** What a client needs. Undefined without TLS. */
    readonly secret: SecretData | undefined,
    readonly host: string,
  ) {}

  /** @param isSecure whether clients must have a certificate @param host address of this machine where it listens */
  static async start({ isSecure = false, host = '127.0.0.1' } = {}): Promise<PlainEtcd> {
    const folder = await mkdtemp(join(tmpdir(), 'plain-etcd-'));
    const ports = { client: await freePort(), peer: await freePort() };
    if (!isSecure) return new PlainEtcd(folder, ports, undefined, host).started();
    const authority = await CertificateAuthority.create(1);
    const { certificate, key } = await authority.issue({ commonName: 'etcd', hosts: ['localhost', host] });
    const files = { 'tls.crt': certificate, 'tls.key': key, 'ca.crt': authority.own.certificate };
    for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
    return new PlainEtcd(folder, ports, await secretOf(authority, 'client'), host).started();
  }

  get endpoint(): string {
    return `${this.secret ? 'https' : 'http'}://${this.host}:${this.ports.client}`;
  }

  /** Starts it with its data. */
  async started(): Promise<this> {
    const peer = `http://127.0.0.1:${this.ports.peer}`;
    const file = (name: string) => join(this.folder, name);
    const tls = ['--cert-file', file('tls.crt'), '--key-file', file('tls.key'), '--trusted-ca-file', file('ca.crt')];
    const command = [
      ...['etcd', '--name', 'plain', '--data-dir', file('data'), '--logger', 'zap'],
      ...['--listen-client-urls', this.endpoint, '--advertise-client-urls', this.endpoint],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `plain=${peer}`],
      ...(this.secret ? [...tls, '--client-cert-auth'] : []),
    ];
    const process = new GuardedProcess({ name: 'etcd', command, folder: this.folder });
    this.#process = process;
    while (!(await this.#isHealthy())) {
      if (!process.running) throw new Error(`etcd exited:\n${await process.lastLines()}`);
      await pause(50);
    }
    return this;
  }

  /** The output of etcdctl. */
  async etcdctl(...args: readonly string[]): Promise<string> {
    const file = (name: string) => join(this.folder, name);
    const tls = this.secret ? ['--cert', file('tls.crt'), '--key', file('tls.key'), '--cacert', file('ca.crt')] : [];
    const env = { ...process.env, ETCDCTL_API: '3' };
    const { stdout } = await promisify(execFile)('etcdctl', ['--endpoints', this.endpoint, ...tls, ...args], { env });
    return stdout;
  }

  /** Ends it with SIGKILL and keeps its data. */
  async kill(): Promise<void> {
    await this.#process?.kill();
  }

  async dispose(): Promise<void> {
    await this.#process?.dispose();
    await rm(this.folder, { recursive: true, force: true });
  }

  #isHealthy(): Promise<boolean> {
    // A server with users answers that the probe has none.
    return this.etcdctl('endpoint', 'health', '--command-timeout=1s').then(
      () => true,
      (error: { readonly stderr?: string }) => /user name is empty/.test(error.stderr ?? ''),
    );
  }
}
