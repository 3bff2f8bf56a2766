import { Resolver } from 'node:dns/promises';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../../../operator/testing/control-plane/free-port.js';
import { GuardedProcess } from '../../../../operator/testing/control-plane/guarded-process.js';
import { contractZone } from './contract-zone.js';

/** A key of the server, as data of a Secret. */
export type NamedKey = Readonly<Record<'name' | 'algorithm' | 'secret', string>>;

const key = (name: string, algorithm: string): NamedKey => ({
  name,
  algorithm,
  secret: Buffer.alloc(64, name).toString('base64'),
});

/** Keys that may change all of the zone. */
export const namedKeys = [
  key('k8s-256', 'hmac-sha256'),
  key('k8s-384', 'hmac-sha384'),
  key('k8s-512', 'hmac-sha512'),
] as const;
/** A key that may change the addresses of one name. */
export const limitedKey = key('limited', 'hmac-sha256');
export const limitedName = `only.${contractZone}`;

/** The program. Undefined if Debian's bind9 is not installed. */
export function namedProgram(path: string): string | undefined {
  const folders = [...path.split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, 'named')).find((file) => existsSync(file));
}

/** A real BIND of this machine, primary of one zone. It does not outlive this process. */
export class Named {
  #process: GuardedProcess | undefined;

  private constructor(
    readonly program: string,
    readonly folder: string,
    readonly port: number,
  ) {}

  /** @param address of this machine where it listens */
  static async start(program: string, address = '127.0.0.1'): Promise<Named> {
    const named = new Named(program, await mkdtemp(join(tmpdir(), 'named-')), await freePort());
    await writeFile(join(named.folder, 'named.conf'), configuration(named.folder, { address, port: named.port }));
    await writeFile(join(named.folder, 'zone'), zoneFile);
    await named.restart();
    return named;
  }

  /** Starts it with the zone as it was. */
  async restart(): Promise<void> {
    const command = [this.program, '-g', '-n', '1', '-c', join(this.folder, 'named.conf')];
    const before = await this.#timesRunning();
    const process = new GuardedProcess({ name: 'named', command, folder: this.folder });
    this.#process = process;
    while ((await this.#timesRunning()) === before) {
      if (!process.running) throw new Error(`named exited:\n${await process.lastLines()}`);
      await pause(20);
    }
  }

  /** The values of the TXT record of a name. */
  async texts(name: string): Promise<readonly string[]> {
    const resolver = new Resolver();
    resolver.setServers([`127.0.0.1:${this.port}`]);
    const found = await resolver.resolveTxt(name).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOTFOUND' || error.code === 'ENODATA') return [];
      throw error;
    });
    return found.map((parts) => parts.join(''));
  }

  /** Ends it with SIGKILL and keeps its folder. */
  async kill(): Promise<void> {
    await this.#process?.kill();
  }

  async dispose(): Promise<void> {
    await this.#process?.dispose();
  }

  async #timesRunning(): Promise<number> {
    const log = join(this.folder, 'named.log');
    return existsSync(log) ? (await readFile(log, 'utf8')).split(/ running$/m).length : 1;
  }
}

const zoneFile = `$TTL 60
@ IN SOA ns hostmaster 1 3600 600 86400 60
@ IN NS ns
ns IN A 192.0.2.53
`;

function configuration(folder: string, { address, port }: { readonly address: string; readonly port: number }): string {
  const keys = [...namedKeys, limitedKey].map(
    ({ name, algorithm, secret }) => `key "${name}" { algorithm ${algorithm}; secret "${secret}"; };`,
  );
  const grants = namedKeys.map(({ name }) => `grant ${name} zonesub ANY;`);
  return `${keys.join('\n')}
options {
  directory "${folder}";
  pid-file none;
  session-keyfile none;
  listen-on port ${port} { ${address}; };
  listen-on-v6 { none; };
  recursion no;
  allow-transfer { any; };
  dnssec-validation no;
  notify no;
};
controls { };
zone "${contractZone}" {
  type primary;
  file "zone";
  update-policy { ${grants.join(' ')} grant ${limitedKey.name} name ${limitedName} A; };
};
`;
}
