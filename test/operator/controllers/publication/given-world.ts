import type { ServicePublicationResource, ServicePublicationSpecInput } from '../../../../imports/index.js';
import { kindsRead } from '../../../../operator/runtime/controller/reads.js';
import { ConfigMap, type Manifest } from '../../../../operator/runtime/index.js';
import { apiVersionOf } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { FakeSource } from '../../../../operator/testing/contract/trial/answers.js';
import type { PortModel } from '../../../../operator/testing/contract/trial/memory-port.js';
import { statesOf } from '../../../../operator/testing/contract/trial/memory-port.js';
import type { Trial } from '../../../../operator/testing/contract/trial/trial.js';
import { trialsOf } from '../../../../operator/testing/contract/trial/trials.js';
import {
  dnsServer,
  etcdServer,
  givenPublication,
  givenService,
  givenSlice,
  haproxyServer,
  lookup,
  pods,
  tsigSecret,
  webhookServer,
  withTsigSecret,
} from './given-publication.js';

interface Given {
  readonly metadata?: object;
  /** Objects of the cluster. @default - the Service with two endpoints */
  readonly objects?: readonly Manifest[];
  readonly answers?: readonly FakeSource[];
  readonly ports?: readonly PortModel[];
  /** What an earlier process recorded. @default - nothing */
  readonly status?: object;
}

type Spec = Partial<ServicePublicationSpecInput>;

/** The publication `billing` on a memory cluster, with servers in memory. */
export class PublicationWorld {
  readonly #trial: Trial;
  readonly #resource: Manifest;

  private constructor(trial: Trial, resource: Manifest) {
    this.#trial = trial;
    this.#resource = resource;
  }

  /** Creates the publication, and reconciles it until nothing is left to do. */
  static async start(spec: Spec = {}, { metadata = {}, objects, answers = [pods, lookup], ports, status }: Given = {}) {
    const { apiVersion, kind, spec: full } = givenPublication({ drain: '0s', ...spec });
    const resource = { apiVersion, kind, metadata: { name: 'billing', namespace: 'shop', ...metadata }, spec: full };
    const reads = [tsigSecret, ...(objects ?? [givenService(), givenSlice(['10.1.0.1', '10.1.0.2'])])];
    const servers = ports ?? [dnsServer(), haproxyServer(), etcdServer(), webhookServer()];
    const trials = trialsOf(withTsigSecret, { resource, edited: full, reads, answers, ports: servers } as never);
    const { trial } = await trials.start();
    const world = new PublicationWorld(trial, resource);
    if (status) await world.#record(status);
    return world;
  }

  async #record(status: object): Promise<void> {
    const live = await this.resource();
    const claims = [...(live.status?.claims ?? []), ...(status as { readonly claims: readonly object[] }).claims];
    const patch = [{ op: 'add', path: '/status/claims', value: claims }] as const;
    await this.#trial.memory.patch(withTsigSecret.kind, live.metadata, patch, {
      manager: 'earlier',
      subresource: 'status',
    });
    await this.rest();
  }

  /** Changes the spec. */
  async edit(spec: Spec, metadata: object = {}): Promise<void> {
    const { spec: full } = givenPublication({ drain: '0s', ...spec });
    const manifest = { ...this.#resource, metadata: { ...this.#resource.metadata, ...metadata }, spec: full };
    await this.#trial.memory.apply(withTsigSecret.kind, manifest, { manager: 'somebody' });
    await this.rest();
  }

  /** Writes an object of the cluster. */
  async given(object: Manifest): Promise<void> {
    const kind = kindsRead([withTsigSecret]).find(
      (one) => one.kind === object.kind && apiVersionOf(one) === object.apiVersion,
    );
    if (!kind) throw new Error(`the controller does not read ${object.kind}`);
    await this.#trial.memory.apply(kind, object, { manager: 'somebody' });
    if ('status' in object)
      await this.#trial.memory.apply(kind, object, { manager: 'somebody', subresource: 'status' });
    await this.rest();
  }

  async rest(): Promise<void> {
    await this.#trial.rest(this.#resource);
  }

  /** What the server at a port has. */
  outside(port: string): unknown {
    const states = statesOf(this.#trial.outside) as Readonly<Record<string, unknown>>;
    return Object.entries(states).find(([name]) => name.includes(port))?.[1];
  }

  /** The addresses of a name in DNS. */
  dns(name: string, type = 'A'): readonly string[] | undefined {
    const zone = this.outside('dns-names') as Readonly<Record<string, { readonly values: readonly string[] }>>;
    return zone[`${type} ${name}`]?.values;
  }

  async resource(): Promise<ServicePublicationResource> {
    return (await this.#trial.resource(this.#resource)) as unknown as ServicePublicationResource;
  }

  /** The reason of a condition. */
  async reason(type: string): Promise<string | undefined> {
    const { status } = await this.resource();
    return status?.conditions?.find((one) => one.type === type)?.reason;
  }

  /** The message of a condition. */
  async message(type: string): Promise<string | undefined> {
    const { status } = await this.resource();
    return status?.conditions?.find((one) => one.type === type)?.message;
  }

  /** The states of the targets. */
  async states(): Promise<readonly string[]> {
    const { status } = await this.resource();
    return (status?.targets ?? []).map(({ type, state }) => `${type} ${state}`);
  }

  /** The data of a ConfigMap. */
  async file(name: string): Promise<Readonly<Record<string, string>> | undefined> {
    const found = await this.#trial.memory.read(ConfigMap, { namespace: 'shop', name });
    return (found as { readonly data?: Readonly<Record<string, string>> } | undefined)?.data;
  }
}
