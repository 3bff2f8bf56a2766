import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { HaproxyServer } from '../../../../operator/controllers/publication/ports/haproxy.js';
import { freePort } from '../../../../operator/testing/control-plane/free-port.js';
import { GuardedProcess } from '../../../../operator/testing/control-plane/guarded-process.js';

/** The backend of the contract, and the server that its configuration has. */
export const contractBackend = 'billing';
export const configured: HaproxyServer = {
  ...{ name: 'by-hand', address: '192.0.2.250', port: 80, state: 'ready', isDown: false, isBusy: false },
};

/** The program. Undefined if Debian's haproxy is not installed. */
export function haproxyProgram(path: string): string | undefined {
  const folders = [...path.split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, 'haproxy')).find((file) => existsSync(file));
}

/** A real HAProxy of this machine with one backend. It does not outlive this process. */
export class HaproxyProgram {
  #process: GuardedProcess | undefined;

  private constructor(
    readonly program: string,
    readonly folder: string,
    /** The runtime API, the runtime API for users without rights, and clients. */
    readonly ports: Readonly<Record<'admin' | 'user' | 'clients', number>>,
    readonly host: string,
  ) {}

  /**
   * @param servers lines of the backend. @default - the configured server of the contract
   * @param host address of this machine where the runtime API listens
   */
  static async start(program: string, servers?: string, host = '127.0.0.1'): Promise<HaproxyProgram> {
    const ports = { admin: await freePort(), user: await freePort(), clients: await freePort() };
    const started = new HaproxyProgram(program, await mkdtemp(join(tmpdir(), 'haproxy-')), ports, host);
    await writeFile(join(started.folder, 'haproxy.cfg'), configuration(started, servers));
    await started.restart();
    return started;
  }

  get address(): string {
    return `${this.host}:${this.ports.admin}`;
  }

  /** Starts it with its configuration alone. */
  async restart(): Promise<void> {
    const command = [this.program, '-db', '-f', join(this.folder, 'haproxy.cfg')];
    const process = new GuardedProcess({ name: 'haproxy', command, folder: this.folder });
    this.#process = process;
    while (!(await isListening(this.ports.clients))) {
      if (!process.running) throw new Error(`haproxy exited:\n${await process.lastLines()}`);
      await pause(20);
    }
  }

  /** Ends it with SIGKILL. */
  async kill(): Promise<void> {
    await this.#process?.kill();
  }

  async dispose(): Promise<void> {
    await this.#process?.dispose();
    await rm(this.folder, { recursive: true, force: true });
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

function configuration(
  { ports, host }: Pick<HaproxyProgram, 'ports' | 'host'>,
  servers = `server ${configured.name} ${configured.address}:${configured.port}`,
): string {
  return `global
  stats socket ipv4@${host}:${ports.admin} level admin
  stats socket ipv4@127.0.0.1:${ports.user} level user
defaults
  mode http
  option redispatch
  timeout connect 1s
  timeout client 30s
  timeout server 30s
frontend clients
  bind 127.0.0.1:${ports.clients}
  default_backend ${contractBackend}
backend ${contractBackend}
  balance roundrobin
  ${servers}
`;
}
