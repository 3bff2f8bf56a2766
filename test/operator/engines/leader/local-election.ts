import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { leaderElectionSpec, withDefaults } from '../../../../crds/index.js';
import {
  type LeaderElectionResource,
  type LeaderElectionSpecInput,
  leaderElectionKind,
} from '../../../../imports/index.js';
import { leaderControllers } from '../../../../operator/controllers/index.js';
import { launcherReport } from '../../../../operator/engines/leader/launcher-report.js';
import { openLeader } from '../../../../operator/engines/leader/open-leader.js';
import { EndpointSlice, Lease, Namespace, Secret } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import { systemClock } from '../../../../operator/runtime/ports/clock.js';
import { silent } from '../../../../operator/runtime/ports/telemetry.js';
import { Operator } from '../../../../operator/runtime/reconcile/operator.js';
import { MemoryCluster } from '../../../../operator/testing/index.js';
import { builtLauncher } from './given-launcher.js';
import { operatorUser, tokenOf } from './lease-server.js';
import { LocalCandidate, namespace } from './local-candidate.js';

interface Process {
  readonly stop: AbortController;
  readonly running: Promise<unknown>;
  readonly close: () => Promise<void>;
}

/** What differs from an election of plain servers. */
export interface ElectionProps {
  readonly spec?: Partial<LeaderElectionSpecInput>;
  /** Further flags of each server. */
  readonly flags?: readonly string[];
  readonly secrets?: readonly Manifest[];
}

/** Times of the fastest Lease that the schema accepts. */
export const leaseTimes = { leaseDuration: '3s', renewDeadline: '2s', retryPeriod: '1s' } as const;

/** The controller of LeaderElections on a cluster in memory, with real launchers and real servers on loopback addresses. */
export class LocalElection implements AsyncDisposable {
  readonly memory = new MemoryCluster();
  readonly candidates: LocalCandidate[] = [];
  #process: Process | undefined;

  private constructor(readonly folder: string) {}

  /** @param program of Redis or Valkey */
  static async start(program: string, { spec = {}, ...more }: ElectionProps = {}): Promise<LocalElection> {
    const server = [program, ...(more.flags ?? [])];
    const world = new LocalElection(await mkdtemp(join(tmpdir(), 'election-')));
    const { memory, folder } = world;
    const launcher = await builtLauncher(folder);
    await writeFile(join(folder, 'token'), tokenOf(operatorUser));
    await memory.create(
      Namespace,
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
      { manager: 'somebody' },
    );
    const network = `127.${10 + (process.pid % 240)}.${Math.floor(Math.random() * 250)}`;
    for (let at = 0; at < 3; at++) {
      const name = `cache-${at}`;
      const props = { memory, name, address: `${network}.${at + 1}`, folder: join(folder, name), launcher, server };
      world.candidates.push(await LocalCandidate.create(props));
    }
    const input = {
      selector: { app: 'cache' },
      service: 'cache-leader',
      application: { redis: {} },
      lease: leaseTimes,
      ...spec,
    };
    for (const secret of more.secrets ?? []) await memory.create(Secret, secret, { manager: 'somebody' });
    await memory.apply(
      leaderElectionKind,
      {
        ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'LeaderElection', metadata: { name: 'cache', namespace } },
        spec: withDefaults(leaderElectionSpec, input),
      } as Manifest,
      { manager: 'somebody' },
    );
    world.startOperator();
    return world;
  }

  /** Another process of the operator, which knows nothing but the cluster. */
  startOperator(): void {
    const { memory: cluster, folder } = this;
    const config = { leaderTokenFile: join(folder, 'token') };
    const engine = openLeader({ cluster, clock: systemClock, config, refusal: () => undefined });
    const stop = new AbortController();
    const operator = new Operator({
      ...{ controllers: leaderControllers, ports: engine.provided, cluster, clock: systemClock, telemetry: silent },
      ...{ identity: 'test', namespaces: [], maxConcurrentReconciles: 4, resyncPeriod: 600_000 },
      ...{ reconcileTimeout: 60_000, gracefulShutdownTimeout: 2_000 },
    });
    this.#process = { stop, running: operator.run(stop.signal), close: engine.close };
  }

  async stopOperator(): Promise<void> {
    const process = this.#process;
    this.#process = undefined;
    process?.stop.abort();
    await process?.running;
    await process?.close();
  }

  async resource(): Promise<LeaderElectionResource> {
    return (await this.memory.read(leaderElectionKind, { namespace, name: 'cache' })) as LeaderElectionResource;
  }

  async term(): Promise<number> {
    const lease = await this.memory.read(Lease, { namespace, name: 'cache' });
    return (
      (lease as { readonly spec?: { readonly leaseTransitions?: number } } | undefined)?.spec?.leaseTransitions ?? 0
    );
  }

  /** The addresses to which the Service of the leader leads. */
  async endpoints(): Promise<readonly string[]> {
    const { items } = await this.memory.list(EndpointSlice, { namespace });
    return (
      items as readonly { metadata: { labels?: Record<string, string> }; endpoints?: { addresses: string[] }[] }[]
    )
      .filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === 'cache-leader')
      .flatMap(({ endpoints = [] }) => endpoints.flatMap(({ addresses }) => addresses));
  }

  async reportOf({ address }: LocalCandidate) {
    const response = await fetch(`http://${address}:7481/v1/status`, {
      headers: { authorization: `Bearer ${tokenOf(operatorUser)}` },
      signal: AbortSignal.timeout(1_000),
    });
    return launcherReport(await response.text());
  }

  /** The candidate that leads, if all others confirm its writes and the operator knows all that. */
  async leader(): Promise<LocalCandidate | undefined> {
    const reports = await Promise.all(this.candidates.map((one) => this.reportOf(one).catch(() => undefined)));
    const at = reports.findIndex((one) => one?.leads === true && one.role === 'leader');
    const confirmers = reports[at]?.application.confirmedBy ?? [];
    const followers = reports.filter((one) => one?.application.isFresh === true && one.application.isComplete);
    const found = this.candidates[at];
    if (!found || confirmers.length !== reports.length - 1 || followers.length !== reports.length - 1) return undefined;
    const { status } = await this.resource();
    // A second fault right after the first one could take writes that only the lost process had, and the operator waits for a person.
    const { members = [] } = status ?? {};
    const isKnown = members.every(({ isComplete, goneSince }) => isComplete === true && goneSince === undefined);
    if (!isKnown || members.length !== reports.length - 1) return undefined;
    const isReady = status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
    const endpoints = await this.endpoints();
    return isReady && endpoints.length === 1 && endpoints[0] === found.address ? found : undefined;
  }

  /** @throws {Error} with the conditions and the reports */
  async untilWell(): Promise<LocalCandidate> {
    for (const end = performance.now() + 60_000; ; ) {
      const leader = await this.leader();
      if (leader) return leader;
      if (performance.now() > end) throw new Error(await this.state());
      await pause(50);
    }
  }

  async state(): Promise<string> {
    const { status } = await this.resource();
    const reports = await Promise.all(this.candidates.map((one) => this.reportOf(one).catch(String)));
    const lease = await this.memory.read(Lease, { namespace, name: 'cache' });
    return JSON.stringify({ status, lease, endpoints: await this.endpoints(), reports }, undefined, 1);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopOperator();
    await Promise.all(this.candidates.map((one) => one.remove()));
    await rm(this.folder, { recursive: true, force: true });
  }
}
