import { contractZone } from '../../operator/engines/dns/contract-zone.js';
import { Named, namedKeys, namedProgram } from '../../operator/engines/dns/named.js';
import { etcdAbsence } from '../../operator/engines/etcd/given-etcd.js';
import { PlainEtcd } from '../../operator/engines/etcd/plain-etcd.js';
import { HaproxyProgram, haproxyProgram } from '../../operator/engines/publication/haproxy-program.js';
import { runShell } from '../cluster/kubectl.js';
import { allowAddress } from './allow-address.js';
import { ownAddress } from './own-address.js';

/** Servers of this machine, outside of the cluster, which Pods reach. */
export class OutsideServers {
  private constructor(
    /** The address of this machine in the network of the API server. */
    readonly address: string,
    readonly named: Named,
    readonly haproxy: HaproxyProgram,
    readonly etcd: PlainEtcd,
  ) {}

  /** Starts BIND, HAProxy and etcd, and allows the operator to reach this machine. */
  static async start(): Promise<OutsideServers> {
    const path = process.env['PATH'] ?? '';
    const [named, haproxy] = [namedProgram(path), haproxyProgram(path)];
    if (!named || !haproxy || etcdAbsence)
      throw new Error(
        "it needs Debian's bind9, bind9-dnsutils, haproxy, etcd-server and etcd-client: apt-get install them",
      );
    const address = await ownAddress();
    const servers = new OutsideServers(
      address,
      await Named.start(named, address),
      await HaproxyProgram.start(haproxy, '', address),
      await PlainEtcd.start({ host: address }),
    );
    await allowAddress(address);
    return servers;
  }

  /** The DNS server, for clients. */
  get dnsServer(): string {
    return `${this.address}:${this.named.port}`;
  }

  /** A Secret with the key of the DNS server. */
  keySecret(namespace: string, name: string, changes: object = {}): object {
    const [key] = namedKeys;
    return { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name }, stringData: { ...key, ...changes } };
  }

  /** Changes records as somebody else does. @param lines of nsupdate */
  async update(...lines: readonly string[]): Promise<void> {
    const [{ algorithm, name, secret }] = namedKeys;
    const server = `server ${this.address} ${this.named.port}\nzone ${contractZone}`;
    await runShell('nsupdate', ['-y', `${algorithm}:${name}:${secret}`], `${server}\n${lines.join('\n')}\nsend\n`);
  }

  async stop(): Promise<void> {
    await Promise.all([this.named.dispose(), this.haproxy.dispose(), this.etcd.dispose()]);
  }
}
