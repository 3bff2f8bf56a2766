import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  type ServicePublicationResource,
  type ServicePublicationSpecInput,
  servicePublicationKind,
} from '../../../imports/index.js';
import { conditionOf } from '../../../operator/runtime/index.js';
import { until } from '../../chaos/wait.js';
import { contractZone } from '../../operator/engines/dns/contract-zone.js';
import { contractBackend } from '../../operator/engines/publication/haproxy-program.js';
import { ClientProcess } from '../client/client-process.js';
import type { Failed, Period } from '../client/counting-client.js';
import { type Tally, tallyOf } from '../client/tally.js';
import { listed, read } from '../cluster/api.js';
import { slower, underKills } from '../cluster/kill-mode.js';
import { type LivePod, Pod } from '../cluster/kinds.js';
import { applied, kubectl } from '../cluster/kubectl.js';
import type { OutsideServers } from './outside-servers.js';
import { type ServedApp, servedApp } from './served-app.js';

/** Seconds. */
export interface Times {
  readonly ttl: number;
  readonly drain: number;
}

/**
 * Seconds until an address is withdrawn. An operator that is not killed takes less than one. While leaders are killed, the
 * leases of some in a row may have to end.
 */
const reaction = underKills ? 60 : 1;

/** The name of the Secret with the key of the DNS server. */
export const keyName = 'ddns';

/** An application, its publication, and clients outside of the cluster. */
export class TriedPublication {
  /** What clients counted that have stopped since the last tally. */
  readonly #stopped: Period[] = [];
  readonly clients: ClientProcess[] = [];
  app: ServedApp;

  constructor(
    readonly servers: OutsideServers,
    app: Omit<ServedApp, 'servesOn'>,
    readonly times: Times,
  ) {
    // Clients that asked just before an address was withdrawn use it until its TTL is over.
    this.app = { ...app, servesOn: times.ttl + times.drain + reaction };
  }

  get host(): string {
    return `${this.app.name}.${contractZone}`;
  }

  /** The key below which etcd has its addresses. */
  get key(): string {
    return `/skydns/com/example/${this.app.name}`;
  }

  spec(changes: Partial<ServicePublicationSpecInput> = {}): ServicePublicationSpecInput {
    const { servers, app, times } = this;
    const dns = {
      ...{ server: servers.address, port: servers.named.port, zone: contractZone, name: app.name },
      ...{ ttl: `${times.ttl}s`, tsigSecretRef: { name: keyName } },
    };
    return {
      ...{ service: app.name, drain: `${times.drain}s` },
      targets: [
        { dns },
        { haproxy: { address: servers.haproxy.address, backend: contractBackend } },
        { etcd: { endpoints: [servers.etcd.endpoint], key: this.key, ttl: `${times.ttl}s` } },
        { file: { configMap: `${app.name}-addresses`, format: 'JSON' } },
      ],
      ...changes,
    };
  }

  async apply(changes: Partial<ServicePublicationSpecInput> = {}, name = this.app.name): Promise<void> {
    const { namespace } = this.app;
    const metadata = { namespace, name };
    const kind = { apiVersion: 'reconstruct.dev/v1alpha1', kind: 'ServicePublication' };
    await applied({ ...kind, metadata, spec: this.spec(changes) });
  }

  /** Applies the application with changes, which stay. */
  async change(changes: Partial<ServedApp> = {}): Promise<void> {
    this.app = { ...this.app, ...changes };
    await applied(...servedApp(this.app));
  }

  /** Resolves when the Deployment is rolled out, and no Pod terminates any more. */
  async rolledOut(): Promise<void> {
    const { namespace, name, replicas } = this.app;
    const own = ['--namespace', namespace];
    await kubectl([...own, 'rollout', 'status', `deployment/${name}`, '--timeout=240s']);
    const isDone = async () => (await this.pods()).length === replicas;
    await until(isDone, { what: `${replicas} Pods`, within: 240_000 * slower, every: 500 });
  }

  async pods(): Promise<readonly LivePod[]> {
    const { namespace, name } = this.app;
    return listed(Pod, { namespace, labelSelector: `app=${name}` });
  }

  async live(name = this.app.name): Promise<ServicePublicationResource> {
    return (await read(servicePublicationKind, { namespace: this.app.namespace, name })) as ServicePublicationResource;
  }

  /** The reason and the message of a condition. */
  async says(type: string, name = this.app.name): Promise<string> {
    const found = conditionOf(await this.live(name), type);
    return `${found?.reason}: ${found?.message}`;
  }

  /** @param within seconds */
  async until(what: string, isSo: () => Promise<boolean>, within = 60): Promise<void> {
    await until(isSo, { what, within: within * 1000 * slower, every: 100 });
  }

  async untilPublished(within = 60): Promise<void> {
    await this.until(
      'each target has the addresses',
      async () => (await this.says('Published')).startsWith('UpToDate'),
      within,
    );
  }

  /** What dig answers, in alphabetical order. */
  async dig(type = 'A', name = this.host): Promise<readonly string[]> {
    const { address, named } = this.servers;
    const args = [`@${address}`, '-p', String(named.port), '+short', '+time=2', '+tries=1', name, type];
    const { stdout } = await promisify(execFile)('dig', args);
    return stdout
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith(';'))
      .toSorted();
  }

  /** Starts a client that resolves by DNS, and one that goes through HAProxy. @param onFailed is told each failure at once */
  startClients(rate = 10, onFailed?: (client: string, failed: Failed) => void): void {
    const { servers, host } = this;
    const options = { rate, keepAlive: false };
    const direct = { ...options, url: `http://${host}:8080/`, resolver: servers.dnsServer };
    const proxied = { ...options, url: `http://127.0.0.1:${servers.haproxy.ports.clients}/` };
    this.clients.push(
      new ClientProcess(direct, (failed) => onFailed?.('DNS', failed)),
      new ClientProcess(proxied, (failed) => onFailed?.('HAProxy', failed)),
    );
  }

  /** What the clients have counted since they were asked last. */
  tally(): Tally {
    return tallyOf([...this.#stopped.splice(0), ...this.clients.flatMap((client) => client.take())]);
  }

  /** Resolves when each request has ended. */
  async stopClients(): Promise<void> {
    const clients = this.clients.splice(0);
    await Promise.all(clients.map((client) => client.stop()));
    this.#stopped.push(...clients.flatMap((client) => client.take()));
  }
}
