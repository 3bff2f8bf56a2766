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

/** The applications whose addresses the two owners publish. */
const apps = ['web', 'other'] as const;

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

  /** The Service of an owner. Without a virtual IP, as external-dns wants it. */
  service(name: string, by: 0 | 1, annotations: Readonly<Record<string, string>> = {}): object {
    const metadata = { namespace: this.namespace, name: `${name}-${by}`, annotations };
    const spec = { clusterIP: 'None', selector: { app: apps[by] }, ports: [{ name: 'http', port: 8080 }] };
    return { apiVersion: 'v1', kind: 'Service', metadata, spec };
  }

  /** Gives the application of an owner so many ready Pods. */
  async scale(replicas: number, by: 0 | 1 = 0): Promise<void> {
    const { namespace } = this;
    const [name, image] = [apps[by], serverImage('1.0.0')];
    await applied(...servedApp({ namespace, name, image, replicas, version: '1', servesOn: 1 }));
    const own = ['--namespace', namespace];
    await kubectl([...own, 'rollout', 'status', `deployment/${name}`, '--timeout=240s']);
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

  /** The values of the records of a type, by their names in the zone. */
  async names(type = 'A'): Promise<ReadonlyMap<string, readonly string[]>> {
    const args = [`@${this.address}`, '-p', String(this.named.port), '+noall', '+answer', contractZone, 'AXFR'];
    const { stdout } = await promisify(execFile)('dig', args, { maxBuffer: 2 ** 26 });
    const found = new Map<string, string[]>();
    for (const line of stdout.split('\n')) {
      const [name = '', , , of, ...value] = line.split(/\s+/);
      const short = name.replace(`.${contractZone}.`, '');
      if (of === type) found.set(short, [...(found.get(short) ?? []), value.join(' ')]);
    }
    return found;
  }

  async stop(): Promise<void> {
    for (const way of this.ways) way.stop();
    await this.named.dispose();
  }
}
