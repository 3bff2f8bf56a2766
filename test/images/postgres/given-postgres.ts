import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { lookup } from 'node:dns';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CertificateAuthority } from '../../../operator/certificates/authority.js';
import type { AllowedAddresses } from '../../../operator/egress/allowed-addresses.js';

const bin = '/usr/lib/postgresql/15/bin';

/** Allows this machine, which no operator allows. */
export const anyHost: Pick<AllowedAddresses, 'lookupFor'> = { lookupFor: () => lookup as LookupFunction };

/** Whether the programs of PostgreSQL are here, and this user can start them as another one. */
export const canRunPostgres = existsSync(`${bin}/postgres`) && process.getuid?.() === 0;

/** A PostgreSQL of this machine with TLS, which logs each statement. */
export class GivenPostgres {
  readonly password = 'the password of the superuser';

  private constructor(
    readonly folder: string,
    readonly port: number,
    /** The trusted certificate, PEM. */
    readonly authority: string,
    readonly process: ChildProcess,
  ) {}

  static async start(): Promise<GivenPostgres> {
    const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
    const [uid, gid] = [Number(idOf('-u')), Number(idOf('-g'))];
    const authority = await CertificateAuthority.create(1);
    const { certificate, key } = await authority.issue({ commonName: 'db', hosts: ['localhost', '127.0.0.1'] });
    const files = { 'server.crt': certificate, 'server.key': key, pw: 'the password of the superuser' };
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(folder, name), text, { mode: 0o600 });
      chownSync(join(folder, name), uid, gid);
    }
    chownSync(folder, uid, gid);
    chmodSync(folder, 0o700);
    const data = join(folder, 'data');
    const initialized = ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${folder}/pw`, '-N'];
    execFileSync(`${bin}/initdb`, initialized, { uid, gid, stdio: 'pipe', cwd: folder });
    writeFileSync(join(data, 'pg_hba.conf'), 'hostssl all all all scram-sha-256\n');
    const port = await freePort();
    const settings = {
      ...{ ssl: 'on', ssl_cert_file: `${folder}/server.crt`, ssl_key_file: `${folder}/server.key` },
      ...{ log_statement: 'all', log_connections: 'on', unix_socket_directories: folder, fsync: 'off' },
      ...{ listen_addresses: '127.0.0.1', port: String(port), max_connections: '50' },
    };
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(`${bin}/postgres`, ['-D', data, ...options], { uid, gid, stdio: ['ignore', 'ignore', 'pipe'] });
    const log: Buffer[] = [];
    child.stderr.on('data', (chunk: Buffer) => log.push(chunk));
    const server = new GivenPostgres(folder, port, authority.own.certificate, child);
    server.#log = log;
    while (!server.log.includes('ready to accept connections')) {
      if (child.exitCode !== null) throw new Error(server.log);
      await pause(20);
    }
    return server;
  }

  #log: Buffer[] = [];

  /** What it has logged so far. */
  get log(): string {
    return Buffer.concat(this.#log).toString('utf8');
  }

  async stop(): Promise<void> {
    this.process.kill('SIGINT');
    if (this.process.exitCode === null) await once(this.process, 'exit');
    rmSync(this.folder, { recursive: true });
  }
}

function idOf(flag: string): string {
  return execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  server.close();
  return port;
}
