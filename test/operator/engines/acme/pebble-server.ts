import { execFile } from 'node:child_process';
import { lookup as lookUp } from 'node:dns';
import { mkdtemp, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Agent, request } from 'undici';
import { CertificateAuthority } from '../../../../operator/certificates/authority.js';
import type { AcmeServer } from '../../../../operator/controllers/certificates/ports/acme.js';
import type { HostLookup } from '../../../../operator/egress/connections.js';
import { freePort } from '../../../../operator/testing/control-plane/free-port.js';
import { GuardedProcess } from '../../../../operator/testing/control-plane/guarded-process.js';
import { goProgram } from '../../../given/go-program.js';

const module = join(import.meta.dirname, 'pebble');
const package_ = 'github.com/letsencrypt/pebble/v2/cmd';

/** Why Pebble cannot be run here. Undefined if it can. */
export async function pebbleAbsence(): Promise<string | undefined> {
  return promisify(execFile)('go', ['version']).then(
    () => undefined,
    () => 'Go is not installed',
  );
}

/** The lookup of a test, whose servers are on this machine. */
export const anyHost: HostLookup = () => lookUp as ReturnType<HostLookup>;

/** How a Pebble behaves. */
export interface PebbleProps {
  /** Percent of the nonces that it refuses. @default 0 */
  readonly refusedNonces?: number;
  /** The HMAC keys of external accounts, which new accounts then require. @default - none */
  readonly externalAccounts?: Readonly<Record<string, string>>;
  /** Seconds of its Retry-After headers for orders and authorizations that are in progress. @default 0 */
  readonly retryAfter?: number;
  /** Host and port of the DNS server that it asks. @default - one in which every name is this machine */
  readonly dnsServer?: string;
  /** IP address at which it serves. @default '127.0.0.1' */
  readonly address?: string;
  /** Where it finds every name, with the port of HTTP-01 challenges. @default - this machine, and a free port */
  readonly names?: { readonly address: string; readonly httpPort: number };
}

/** Profiles, with different times of validity in seconds. */
export const profiles = { classic: 90 * 86_400, shortlived: 6 * 86_400 };

/** A name that Pebble never issues for. It has two labels, because Pebble 2.10.1 fails for names with fewer labels than this. */
export const blockedName = 'blocked.example';

/** A real ACME server with a real validation, and its DNS server, in which every name is this machine. */
export class Pebble implements AsyncDisposable {
  private constructor(
    readonly server: AcmeServer,
    /** Signs certificates that clients of the server trust. */
    readonly authority: CertificateAuthority,
    /** The port on which it validates HTTP-01 challenges. */
    readonly httpPort: number,
    private readonly dns: string,
    private readonly startAcme: () => GuardedProcess,
    private acme: GuardedProcess,
    private readonly others: readonly GuardedProcess[],
  ) {}

  static async start(props: PebbleProps = {}): Promise<Pebble> {
    const { refusedNonces = 0, externalAccounts, retryAfter = 0, dnsServer, address = '127.0.0.1', names } = props;
    const [program, dnsProgram] = await Promise.all(
      ['pebble', 'pebble-challtestsrv'].map((name) =>
        goProgram({ module, program: `${package_}/${name}`, store: 'pebble' }),
      ),
    );
    const folder = await mkdtemp(join(tmpdir(), 'pebble-'));
    const authority = await CertificateAuthority.create();
    const { certificate, key } = await authority.issue({
      commonName: 'pebble',
      hosts: [...new Set(['127.0.0.1', 'localhost', address])],
    });
    const [port = 0, freeHttpPort = 0, tlsPort = 0, dnsPort = 0, dnsApi = 0] = await ports(5);
    const { httpPort, address: found } = names ?? { httpPort: freeHttpPort, address: '127.0.0.1' };
    const config = {
      ...{ listenAddress: `${address}:${port}`, managementListenAddress: '' },
      ...{ certificate: join(folder, 'tls.crt'), privateKey: join(folder, 'tls.key'), httpPort, tlsPort },
      ...{ ocspResponderURL: '', keyAlgorithm: 'ecdsa', domainBlocklist: [blockedName] },
      externalAccountBindingRequired: externalAccounts !== undefined,
      externalAccountMACKeys: externalAccounts ?? {},
      retryAfter: { authz: retryAfter, order: retryAfter },
      profiles: Object.fromEntries(
        Object.entries(profiles).map(([name, validityPeriod]) => [name, { description: name, validityPeriod }]),
      ),
    };
    await Promise.all([
      writeFile(join(folder, 'tls.crt'), certificate),
      writeFile(join(folder, 'tls.key'), key, { mode: 0o600 }),
      writeFile(join(folder, 'pebble.json'), JSON.stringify({ pebble: config })),
    ]);
    const own = (flag: string, at: number) => `${flag}=127.0.0.1:${at}`;
    const dns = new GuardedProcess({
      name: 'dns',
      folder,
      command: [
        dnsProgram ?? '',
        ...[own('-dnsserver', dnsPort), own('-management', dnsApi), '-defaultIPv6=', `-defaultIPv4=${found}`],
        ...['-http01=', '-https01=', '-tlsalpn01=', '-doh='],
      ],
    });
    const env = [`PEBBLE_WFE_NONCEREJECT=${refusedNonces}`, 'PEBBLE_AUTHZREUSE=0', 'PEBBLE_VA_NOSLEEP=1'];
    const arguments_ = ['-config', join(folder, 'pebble.json'), '-dnsserver', dnsServer ?? `127.0.0.1:${dnsPort}`];
    const command = ['/usr/bin/env', ...env, program ?? '', ...arguments_];
    const startAcme = () => new GuardedProcess({ name: 'pebble', folder, command });
    const acme = startAcme();
    const directory = `https://${address === '127.0.0.1' ? 'localhost' : address}:${port}/dir`;
    const caBundle = authority.own.certificate;
    const dnsUrl = `http://127.0.0.1:${dnsApi}`;
    const pebble = new Pebble({ directory, caBundle }, authority, httpPort, dnsUrl, startAcme, acme, [dns]);
    await answering(acme, directory, caBundle);
    await answering(dns, pebble.dns);
    return pebble;
  }

  /** Another process serves at the same address. It has no account and no order. */
  async restart(): Promise<void> {
    await this.acme.kill();
    this.acme = this.startAcme();
    await answering(this.acme, this.server.directory, this.server.caBundle);
  }

  /** Serves HTTP-01 challenges until the test ends it. */
  async serve(server: Server): Promise<Server> {
    await new Promise<void>((resolve) => server.listen(this.httpPort, '127.0.0.1', resolve));
    return server;
  }

  /** Adds a value to the TXT record of a name. */
  async addRecord(host: string, value: string): Promise<void> {
    await this.#manage('set-txt', { host: `${host}.`, value });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.acme, ...this.others].map((one) => one.dispose()));
  }

  async #manage(what: string, body: object): Promise<void> {
    const { statusCode } = await request(`${this.dns}/${what}`, { method: 'POST', body: JSON.stringify(body) });
    if (statusCode !== 200) throw new Error(`the DNS server answers ${statusCode} to ${what}`);
  }
}

async function ports(count: number): Promise<readonly number[]> {
  const found: number[] = [];
  while (found.length < count) found.push(await freePort());
  return found;
}

/** @throws {Error} with its last lines if it ends */
async function answering(server: GuardedProcess, url: string, ca?: string): Promise<void> {
  const dispatcher = new Agent({ connect: ca === undefined ? {} : { ca } });
  try {
    for (;;) {
      if (!server.running) throw new Error(`the server ended: ${await server.lastLines()}`);
      const answer = await request(url, { dispatcher }).catch(() => undefined);
      await answer?.body.dump();
      if (answer) return;
      await pause(50);
    }
  } finally {
    await dispatcher.destroy();
  }
}
