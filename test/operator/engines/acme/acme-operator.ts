import { lookup } from 'node:dns';
import type { Server } from 'node:http';
import type { LookupFunction } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { certificateSpec, type InputOf, issuerSpec, withDefaults } from '../../../../crds/index.js';
import { type CertificateResource, certificateKind, issuerKind } from '../../../../imports/index.js';
import { handshakes } from '../../../../operator/consumers/handshakes.js';
import { certificateControllers, withResponder } from '../../../../operator/controllers/certificates/index.js';
import { challengeVisibility } from '../../../../operator/controllers/certificates/ports/acme.js';
import { acmePorts } from '../../../../operator/engines/acme/acme-ports.js';
import { certificatePorts } from '../../../../operator/engines/certificates/certificate-ports.js';
import { workloadsFrom } from '../../../../operator/engines/consumers/workloads-source.js';
import { dnsRecordsSource } from '../../../../operator/engines/dns/records-source.js';
import type { LiveSecret } from '../../../../operator/runtime/index.js';
import { Namespace, Secret } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import { type Clock, systemClock } from '../../../../operator/runtime/ports/clock.js';
import { type Provided, provided } from '../../../../operator/runtime/ports/external-port.js';
import { silent } from '../../../../operator/runtime/ports/telemetry.js';
import { Operator } from '../../../../operator/runtime/reconcile/operator.js';
import { MemoryCluster } from '../../../../operator/testing/index.js';
import { anyHost, type Pebble } from './pebble-server.js';

const namespace = 'shop';

/** A new process sends no call for 30 seconds in which those of an earlier one may show their effect. */
const speed = 20;

/** A clock on which a second of the operator is a twentieth of one. Certificates have the time of the server. */
const fastClock: Clock = {
  ...systemClock,
  monotonic: () => systemClock.monotonic() * speed,
  after: (ms, callback) => systemClock.after(ms / speed, callback),
};

/** One process of the operator. */
interface Process {
  readonly stop: AbortController;
  readonly running: Promise<unknown>;
  readonly http: Server;
}

/** The operator's controllers of certificates with a real ACME server, on a cluster in memory. */
export class AcmeOperator implements AsyncDisposable {
  readonly memory = new MemoryCluster();
  /** The acts that reached the ACME server, in their order. */
  readonly acts: string[] = [];
  /** Called after each act, before the operator hears of its answer. @default - nothing happens */
  onAct: (act: string) => void = () => {};
  #process: Process | undefined;

  private constructor(readonly pebble: Pebble) {}

  static async start(pebble: Pebble, ...secrets: readonly Manifest[]): Promise<AcmeOperator> {
    const operator = new AcmeOperator(pebble);
    await operator.given(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    for (const secret of secrets) await operator.given(Secret, secret);
    await operator.startProcess();
    return operator;
  }

  /** Another process, which knows nothing but the cluster. */
  async startProcess(): Promise<void> {
    const { memory, pebble } = this;
    const { provided: acme, responder } = acmePorts({
      clock: fastClock,
      lookup: anyHost,
      challengeLookup: anyHost,
    });
    const http = await pebble.serve(responder.server());
    const stop = new AbortController();
    const lookupFor = () => lookup as LookupFunction;
    // The operator would look at port 80 of the names, where no gateway is.
    const others = acme.filter(({ port }) => port.name !== challengeVisibility.name);
    const operator = new Operator({
      controllers: withResponder({ address: '127.0.0.1', port: pebble.httpPort }, certificateControllers),
      ports: [
        ...[...certificatePorts(fastClock), ...others.map((one) => this.#counted(one))],
        dnsRecordsSource({ clock: fastClock, addresses: { lookupFor } }),
        workloadsFrom(memory, fastClock),
        provided(handshakes, async () => ({ ports: [] })),
        provided(challengeVisibility, async () => ({ isVisible: true })),
      ],
      ...{ cluster: memory, clock: fastClock, telemetry: silent, identity: 'test', namespaces: [] },
      ...{
        maxConcurrentReconciles: 4,
        resyncPeriod: 600_000,
        reconcileTimeout: 600_000,
        gracefulShutdownTimeout: 2_000,
      },
    });
    this.#process = { stop, running: operator.run(stop.signal), http };
  }

  /** The process ends at once, and forgets all. @param answering milliseconds for which it answers challenges before */
  async kill(answering = 0): Promise<void> {
    const process = this.#process;
    this.#process = undefined;
    process?.stop.abort();
    await process?.running;
    await pause(answering);
    await new Promise((resolve) => process?.http.close(resolve) ?? resolve(undefined));
  }

  /** An Issuer, and a Certificate of it. */
  async order(acme: Partial<NonNullable<InputOf<typeof issuerSpec>['acme']>>, dnsNames: readonly string[]) {
    const { directory: server, caBundle } = this.pebble.server;
    const solvers = [{ http01: { ingressClassName: 'nginx' } }];
    const apiVersion = 'reconstruct.dev/v1alpha1';
    const spec = { acme: { server, ...(caBundle !== undefined && { caBundle }), solvers, ...acme } };
    const wanted = { secretName: 'shop-tls', issuer: { name: 'internal' }, dnsNames };
    await this.given(issuerKind, {
      ...{ apiVersion, kind: 'Issuer', metadata: { name: 'internal', namespace } },
      spec: withDefaults(issuerSpec, spec),
    } as Manifest);
    await this.given(certificateKind, {
      ...{ apiVersion, kind: 'Certificate', metadata: { name: 'shop', namespace } },
      spec: withDefaults(certificateSpec, wanted),
    } as Manifest);
  }

  given(kind: typeof Secret | typeof Namespace | typeof issuerKind | typeof certificateKind, object: Manifest) {
    return this.memory.apply(kind, object, { manager: 'somebody' });
  }

  /** Until the Certificate has been issued this often. @returns its PEM chain */
  async issued(revision = 1): Promise<string> {
    const deadline = Date.now() + 60_000;
    for (;;) {
      const live = (await this.memory.read(certificateKind, { namespace, name: 'shop' })) as CertificateResource;
      if (live?.status?.revision === revision && !live.status.order) break;
      if (Date.now() > deadline)
        throw new Error(`not issued: ${JSON.stringify(live?.status?.conditions)}, acts: ${this.acts}`);
      await pause(20);
    }
    const secret = (await this.memory.read(Secret, { namespace, name: 'shop-tls' })) as LiveSecret;
    return Buffer.from(secret.data?.['tls.crt'] ?? '', 'base64').toString();
  }

  /** The TXT records that the operator has not seen removed. */
  async records(): Promise<readonly unknown[]> {
    const live = (await this.memory.read(certificateKind, { namespace, name: 'shop' })) as CertificateResource;
    return live?.status?.records ?? [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  #counted({ performer, ...one }: Provided): Provided {
    if (!performer) return one;
    return {
      ...one,
      performer: {
        ...performer,
        perform: async (request, options) => {
          const answer = await performer.perform(request, options);
          const act = (request as { readonly act?: string }).act ?? one.port.name;
          this.acts.push(act);
          this.onAct(act);
          return answer;
        },
      },
    };
  }
}
