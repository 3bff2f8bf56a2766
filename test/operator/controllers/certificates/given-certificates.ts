import {
  certificateSpec,
  clusterIssuerSpec,
  type InputOf,
  issuerSpec,
  trustBundleSpec,
  withDefaults,
} from '../../../../crds/index.js';
import {
  type CertificateResource,
  certificateKind,
  clusterIssuerKind,
  type IssuerResource,
  issuerKind,
  trustBundleKind,
} from '../../../../imports/index.js';
import { defaults } from '../../../../operator/config/config.js';
import type { LiveWorkload } from '../../../../operator/consumers/consumer-state.js';
import { handshakes, type ServedPort } from '../../../../operator/consumers/handshakes.js';
import { certificateControllers } from '../../../../operator/controllers/certificates/index.js';
import { allowedAddresses } from '../../../../operator/egress/allowed-addresses.js';
import { acme } from '../../../../operator/engines/acme/index.js';
import { certificatePorts } from '../../../../operator/engines/certificates/certificate-ports.js';
import { workloadsFrom } from '../../../../operator/engines/consumers/workloads-source.js';
import { dns } from '../../../../operator/engines/dns/index.js';
import { type Controller, conditionOf, type LiveSecret } from '../../../../operator/runtime/index.js';
import {
  ConfigMap,
  Deployment,
  Namespace,
  type ObjectKind,
  Secret,
} from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import { systemClock } from '../../../../operator/runtime/ports/clock.js';
import { type Provided, provided, type Source } from '../../../../operator/runtime/ports/external-port.js';
import type { MemoryCluster } from '../../../../operator/testing/index.js';
import { settled } from '../../fake-clock.js';
import { GivenOperator } from '../../runtime/given/operator.js';

const apiVersion = 'reconstruct.dev/v1alpha1';

/** An Issuer as the API server stores it. */
export function givenIssuer(
  ca: NonNullable<InputOf<typeof issuerSpec>['ca']>,
  more: Partial<InputOf<typeof issuerSpec>> = {},
  name = 'internal',
) {
  return {
    ...{ apiVersion, kind: 'Issuer', metadata: { name, namespace: 'shop' } },
    spec: withDefaults(issuerSpec, { ca, ...more }),
  };
}

/** A ClusterIssuer as the API server stores it. */
export function givenClusterIssuer(spec: InputOf<typeof clusterIssuerSpec>, name = 'company') {
  return { apiVersion, kind: 'ClusterIssuer', metadata: { name }, spec: withDefaults(clusterIssuerSpec, spec) };
}

/** A Certificate as the API server stores it. */
export function givenCertificate(spec: Partial<InputOf<typeof certificateSpec>> = {}, name = 'shop') {
  const least = { secretName: `${name}-tls`, issuer: { name: 'internal' }, dnsNames: [`${name}.example.com`] };
  return {
    ...{ apiVersion, kind: 'Certificate', metadata: { name, namespace: 'shop' } },
    spec: withDefaults(certificateSpec, { ...least, ...spec }),
  };
}

/** A TrustBundle as the API server stores it. */
export function givenTrustBundle(spec: InputOf<typeof trustBundleSpec>, name = 'company') {
  return { apiVersion, kind: 'TrustBundle', metadata: { name }, spec: withDefaults(trustBundleSpec, spec) };
}

/** Changes the answers of ports. By the name of the port. */
export type Replies = Readonly<Record<string, (answer: unknown, question: never) => unknown>>;

/** Options of a {@link CertificateWorld}. */
export interface WorldOptions {
  /** @default - those of this project */
  readonly controllers?: readonly Controller[];
  /** Ports beside those of certificates. @default - those of ACME, which reach no server */
  readonly ports?: readonly Provided[];
}

/** The sources of ACME issuers and of their DNS records. The operator allows no server. */
function acmeOf(world: { readonly operator: GivenOperator }): readonly Provided[] {
  const clock = { ...systemClock, now: () => world.operator.clock.now() };
  const environment = { config: defaults, clock, addresses: allowedAddresses([]) };
  return [acme, dns].flatMap((engine) => engine.open(environment).provided);
}

/** Rounds of reconciles after which the world must be at rest. */
const mostRounds = 300;

/** An operator of certificates with real keys, on a memory cluster and a clock that the test moves. */
export class CertificateWorld {
  readonly operator: GivenOperator;
  /** Questions by port, in their order. */
  readonly questions: { readonly port: string; readonly question: unknown }[] = [];
  /** Changes the answers from now on. */
  replies: Replies = {};
  /** What the endpoints of the ports serve. By Service and port. */
  served: Readonly<Record<string, ServedPort['endpoints']>> = {};
  #answering = 0;

  constructor(
    memory?: MemoryCluster,
    readonly options: WorldOptions = {},
  ) {
    const now = { now: () => this.operator.clock.now() };
    const { controllers = certificateControllers, ports = acmeOf(this) } = options;
    this.operator = new GivenOperator(
      {
        controllers,
        ports: [...certificatePorts(now), ...ports, this.#workloads(), this.#ports()].map((one) => this.#watched(one)),
        // Resources are reconciled at the times that the controllers ask for.
        resyncPeriod: 10 ** 9,
      },
      memory,
    );
  }

  static start(...objects: readonly (readonly [ObjectKind, Manifest])[]): Promise<CertificateWorld> {
    return new CertificateWorld().starting(...objects);
  }

  /** Starts the operator with these objects. */
  async starting(...objects: readonly (readonly [ObjectKind, Manifest])[]): Promise<this> {
    const shop = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { team: 'shop' } } };
    await this.operator.given(Namespace, shop);
    for (const [kind, object] of objects) await this.operator.given(kind, object);
    await this.operator.start();
    await this.rest();
    return this;
  }

  /** Another process takes over. Nothing but the cluster is left. */
  async restarted(): Promise<CertificateWorld> {
    await this.operator.stop();
    const next = new CertificateWorld(this.operator.memory, this.options);
    next.replies = this.replies;
    next.operator.clock.freeze(this.now - next.now);
    await next.operator.start();
    await next.rest();
    return next;
  }

  /** The workloads of the memory cluster, which the test rolls out. */
  #workloads(): Provided {
    const cluster: Parameters<typeof workloadsFrom>[0] = {
      read: (...args) => this.operator.memory.read(...args),
      patch: (...args) => this.operator.memory.patch(...args),
    };
    return workloadsFrom(cluster, { after: (...args) => this.operator.clock.after(...args) });
  }

  #ports(): Provided {
    return provided(handshakes, async ({ ports }) => ({
      ports: ports.map(({ service, port }) => {
        const endpoints = this.served[`${service}:${port}`];
        return { service, port, exists: endpoints !== undefined, endpoints: endpoints ?? {} };
      }),
    }));
  }

  #watched({ port, source, ...performing }: Provided): Provided {
    const watched: Source<never, unknown> = async (question, options) => {
      this.questions.push({ port: port.name, question });
      this.#answering++;
      try {
        const answer = await source(question, options);
        return this.replies[port.name]?.(answer, question) ?? answer;
      } finally {
        this.#answering--;
      }
    };
    return { port, source: watched, ...performing };
  }

  get now(): number {
    return this.operator.clock.now();
  }

  /** Until nothing moves without time. Keys are generated outside of the clock of the test, which waits for them. */
  async rest(ms = 0): Promise<void> {
    const slice = Math.max(5_000, ms / 100);
    for (let left = ms; left > 0; left -= slice) {
      await this.operator.clock.advance(Math.min(left, slice));
      await this.#answered();
    }
    for (let calm = 0, rounds = 0; calm < 6; rounds++) {
      const { length } = this.operator.memory.writes;
      if (rounds > mostRounds) throw new Error(`no rest, last: ${this.operator.writes.slice(-6).join(', ')}`);
      const before = this.questions.length;
      await this.operator.clock.advance(5);
      await this.#answered();
      const isCalm = this.operator.memory.writes.length === length && this.questions.length === before;
      calm = isCalm ? calm + 1 : 0;
    }
  }

  async #answered(): Promise<void> {
    do await settled();
    while (this.#answering > 0);
  }

  /** Time jumps, as for a process that was suspended, and watches that ended meanwhile begin again. */
  async after(ms: number): Promise<void> {
    const last = Math.min(ms, 2_000);
    this.operator.clock.freeze(ms - last);
    await this.rest(last);
  }

  async certificate(name = 'shop'): Promise<CertificateResource> {
    return (await this.operator.memory.read(certificateKind, { namespace: 'shop', name })) as CertificateResource;
  }

  async issuer(name = 'internal'): Promise<IssuerResource> {
    return (await this.operator.memory.read(issuerKind, { namespace: 'shop', name })) as IssuerResource;
  }

  /** The decoded texts of a Secret. Undefined if it does not exist. */
  async secret(name = 'shop-tls', namespace = 'shop'): Promise<Readonly<Record<string, string>> | undefined> {
    const found = (await this.operator.memory.read(Secret, { namespace, name })) as LiveSecret | undefined;
    if (!found) return undefined;
    const decoded = Object.entries(found.data ?? {}).map(([key, text]) => [
      key,
      Buffer.from(text, 'base64').toString(),
    ]);
    return Object.fromEntries(decoded);
  }

  async condition(kind: ObjectKind, name: string, type: string, namespace = 'shop'): Promise<string> {
    const place = kind.namespaced ? { namespace, name } : { name };
    const found = conditionOf((await this.operator.memory.read(kind, place)) as CertificateResource, type);
    return found ? `${found.status} ${found.reason}: ${found.message}` : 'none';
  }

  /** A Deployment of three Pods. @param updated the number of Pods of its present template */
  async deployment(name: string, updated = 3): Promise<void> {
    const place = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace: 'shop' } };
    const template = { metadata: { annotations: { own: '1' } } };
    await this.operator.memory.apply(Deployment, { ...place, spec: { replicas: 3, template } } as Manifest, {
      manager: 'somebody',
    });
    const status = { observedGeneration: 1000, replicas: 3, updatedReplicas: updated, availableReplicas: 3 };
    await this.operator.memory.apply(Deployment, { ...place, status } as Manifest, {
      manager: 'kubelet',
      subresource: 'status',
    });
  }

  /** The annotations of the Pod template of a Deployment. */
  async annotations(name: string): Promise<Readonly<Record<string, string>>> {
    const live = await this.operator.memory.read(Deployment, { namespace: 'shop', name });
    return (live as unknown as LiveWorkload).spec.template.metadata?.annotations ?? {};
  }

  /** A user deletes an object. */
  async remove(kind: ObjectKind, name: string): Promise<void> {
    const place = kind.namespaced ? { namespace: 'shop', name } : { name };
    const live = await this.operator.memory.read(kind, place);
    if (live) await this.operator.memory.remove(kind, place, { uid: live.metadata.uid });
    await this.rest();
  }

  close(): Promise<void> {
    return this.operator.close();
  }
}

export { ConfigMap, certificateKind, clusterIssuerKind, issuerKind, Secret, trustBundleKind };
