import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { freePort } from '../../../operator/testing/control-plane/free-port.js';
import { applied, kubectl } from '../../e2e/cluster/kubectl.js';
import { ownAddress } from '../../e2e/publication/own-address.js';
import { servedApp } from '../../e2e/publication/served-app.js';
import { serverImage } from '../../images/project-images.js';
import { contractZone } from '../../operator/engines/dns/contract-zone.js';
import { Named, namedProgram } from '../../operator/engines/dns/named.js';
import { CountingDns } from './counting-dns.js';

/** The application whose addresses are published. */
const app = 'web';

/** One BIND, and Services in the cluster whose addresses are to be in it. Each contestant gets one of its own. */
export class DnsSite {
  private constructor(
    readonly namespace: string,
    readonly address: string,
    readonly named: Named,
    /** Two ways to the same server, for two owners that do not know each other. */
    readonly ways: readonly [CountingDns, CountingDns],
  ) {}

  static async start(namespace: string): Promise<DnsSite> {
    const program = namedProgram(process.env['PATH'] ?? '');
    if (!program) throw new Error("it needs Debian's bind9 and bind9-dnsutils: apt-get install them");
    const address = await ownAddress();
    const named = await Named.start(program, address);
    const way = async () => CountingDns.start(address, await freePort(), named.port);
    return new DnsSite(namespace, address, named, [await way(), await way()]);
  }

  /** The objects of a Service whose endpoints have addresses in DNS. Without a virtual IP, as external-dns wants it. */
  service(name: string, annotations: Readonly<Record<string, string>> = {}): object {
    const metadata = { namespace: this.namespace, name, annotations };
    const spec = { clusterIP: 'None', selector: { app }, ports: [{ name: 'http', port: 8080 }] };
    return { apiVersion: 'v1', kind: 'Service', metadata, spec };
  }

  /** Gives the application so many ready Pods. */
  async scale(replicas: number): Promise<void> {
    const { namespace } = this;
    const all = { namespace, name: app, image: serverImage('1.0.0'), replicas, version: '1', servesOn: 1 };
    await applied(...servedApp(all));
    const own = ['--namespace', namespace];
    await kubectl([...own, 'rollout', 'status', `deployment/${app}`, '--timeout=240s']);
  }

  /** What dig answers, in alphabetical order. */
  async dig(name: string, type = 'A'): Promise<readonly string[]> {
    const args = [
      `@${this.address}`,
      '-p',
      String(this.named.port),
      '+short',
      '+time=2',
      `${name}.${contractZone}`,
      type,
    ];
    const { stdout } = await promisify(execFile)('dig', args);
    return stdout
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith(';'))
      .toSorted();
  }

  /** The number of names with an address. */
  async count(): Promise<number> {
    const args = [`@${this.address}`, '-p', String(this.named.port), '+noall', '+answer', contractZone, 'AXFR'];
    const { stdout } = await promisify(execFile)('dig', args, { maxBuffer: 2 ** 26 });
    const names = stdout
      .split('\n')
      .filter((line) => /\sIN\s+A\s/.test(line))
      .map((line) => line.split(/\s/)[0]);
    return new Set(names).size;
  }

  async stop(): Promise<void> {
    for (const way of this.ways) way.stop();
    await this.named.dispose();
  }
}
