import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { kubeconfig } from '../../operator/cluster/connection/kubeconfig.js';
import { Transport } from '../../operator/cluster/http/transport.js';
import { KubernetesCluster } from '../../operator/cluster/kubernetes-cluster.js';
import { ControlPlane } from '../../operator/testing/control-plane/control-plane.js';
import { freePort } from '../../operator/testing/control-plane/free-port.js';
import { FaultProxy } from '../../operator/testing/faults/fault-proxy.js';
import { account, install, installedFlags, operatorUser } from '../acceptance/given/installation.js';
import { Chance } from './chance.js';
import { Census } from './checks/census.js';
import { complaintsOf, type Outage } from './checks/expected-errors.js';
import { auditedRequests, auditPolicyOf, isWrite, writesOutsideTerms } from './checks/lease-terms.js';
import { faultCounts, injectEveryday } from './faults.js';
import { People } from './people.js';
import { Replica } from './replica.js';
import { Upheaval } from './upheaval.js';
import { until } from './wait.js';

/** What a run is. */
export interface ChaosOptions {
  /** How long things break; at least until everything was broken once. */
  readonly minutes: number;
  readonly seed: number;
  readonly resources: number;
  /** The compiled operator. */
  readonly program: string;
  /** Milliseconds between two acts of people, at most. @default 300 */
  readonly pace?: number;
  /** Receives progress messages. */
  readonly say: (line: string) => void;
  /** Ends the run before its time; what was started is gone then too. */
  readonly signal: AbortSignal;
}

/** What a run has shown. */
export interface ChaosReport {
  readonly seed: number;
  readonly counts: Readonly<Record<string, unknown>>;
  /** What must never be and was, in a line each. */
  readonly broken: readonly string[];
}

/**
 * Milliseconds after the last fault until all must be as it should: a dead watch is found after 70 s, opened again within
 * 30 s, and once more within 30 s if the server has forgotten where it was; the rest is for passes whose backoff has
 * grown, and a lease that has to run out.
 */
const convergesWithin = 180_000;
const namespaces = ['chaos-a', 'chaos-b', 'chaos-c', 'chaos-d', 'chaos-e'];
const scratch = 'chaos-census';
/** How many lines of a kind are reported. */
const most = 20;

/**
 * Runs two replicas of the operator on a real control plane, while people use it and everything around them breaks.
 * Then it must come to rest, and must never have done what it may not. The logs of a run that fails are kept.
 */
export async function chaos(options: ChaosOptions): Promise<ChaosReport> {
  const folder = await mkdtemp(join(tmpdir(), 'reconstruct-chaos-'));
  let isKept = false;
  try {
    const policy = join(folder, 'policy.yaml');
    await writeFile(policy, JSON.stringify(auditPolicyOf(operatorUser)));
    await using controlPlane = await ControlPlane.start({
      audit: true,
      apiServerFlags: { 'audit-policy-file': policy },
    });
    await install(controlPlane);
    for (const name of [...namespaces, scratch]) await controlPlane.kubectl(['create', 'namespace', name]);
    await using stage = await Stage.set(controlPlane, {
      folder,
      program: resolve(options.program),
      seed: options.seed,
    });
    const report = await stage.play(options);
    if (report.broken.length > 0) {
      await copyFile(controlPlane.auditLog, join(folder, 'audit.log'));
      options.say(`what was logged is kept in ${folder}`);
      isKept = true;
    }
    return report;
  } finally {
    if (!isKept) await rm(folder, { recursive: true, force: true });
  }
}

/** The two replicas, each behind a proxy of its own, and what is done to them. */
class Stage implements AsyncDisposable {
  private constructor(
    readonly controlPlane: ControlPlane,
    readonly cluster: KubernetesCluster,
    readonly replicas: readonly Replica[],
  ) {}

  static async set(
    controlPlane: ControlPlane,
    { folder, program, seed }: { readonly folder: string; readonly program: string; readonly seed: number },
  ): Promise<Stage> {
    const token = await controlPlane.serviceAccountKubeconfig(account);
    const replicas = ['replica-1', 'replica-2'].map(async (name, index) => {
      const proxy = await FaultProxy.start(controlPlane, { seed: seed * 2 + index });
      const flags = [...installedFlags(), `--lease-namespace=${account.namespace}`, '--health-port=0'];
      const ports = { metricsPort: await freePort() };
      return new Replica({ name, folder, program, flags, ...ports, proxy, kubeconfig: await proxy.kubeconfig(token) });
    });
    const cluster = new KubernetesCluster(new Transport(await kubeconfig(controlPlane.kubeconfig)));
    return new Stage(controlPlane, cluster, await Promise.all(replicas));
  }

  get proxies(): readonly FaultProxy[] {
    return this.replicas.map(({ props }) => props.proxy);
  }

  async play({ minutes, seed, resources, pace = 300, say, signal }: ChaosOptions): Promise<ChaosReport> {
    const names = Array.from({ length: resources }, (_, index) => ({
      name: `reco-${index}`,
      namespace: namespaces[index % namespaces.length] ?? scratch,
    }));
    const people = new People(this.cluster, names, new Chance(seed));
    const upheaval = new Upheaval(this.controlPlane, this.replicas, new Chance(seed + 1));
    for (const replica of this.replicas) replica.start();
    for (const proxy of this.proxies) injectEveryday(proxy);
    say(`${resources} resources, ${minutes} minutes, seed ${seed}`);

    const over = orAfter(signal, minutes * 60_000);
    const calm = new AbortController();
    const using = this.#use(people, { pace, chance: new Chance(seed + 2), over: calm.signal });
    const telling = this.#tell({ people, upheaval, say, over: calm.signal });
    await upheaval.rage({ over, stop: signal }).finally(() => calm.abort());
    await Promise.all([using, telling]);
    signal.throwIfAborted();
    for (const proxy of this.proxies) proxy.heal();

    say('no more faults: everything must become as it should');
    const census = new Census(this.cluster, scratch);
    const { ms, left } = await this.#converge(census, signal);
    const [wrote, crashes] = [await this.#restless(), this.replicas.flatMap((replica) => replica.crashes)];
    const there = await census.count();
    const ends = await this.#end();
    const requests = await auditedRequests(this.controlPlane.auditLog);
    const writes = requests.filter(isWrite);
    const denied = requests.filter((one) => one.denied && !upheaval.outages.some((out) => isWithin(one.at, out)));
    const circumstances = { outages: upheaval.outages, alive: there.resources };
    const complaints = (await Promise.all(this.replicas.map((replica) => complaintsOf(replica, circumstances)))).flat();
    const counts = {
      ...{ people: people.counts, upheaval: upheaval.counts, faults: faultCounts(this.proxies) },
      lives: this.replicas.map(({ lives }) => lives),
      ...{
        requests: requests.length,
        writes: writes.length,
        passes: this.replicas.reduce((n, one) => n + one.passes, 0),
      },
      ...{ there: { ...there, resources: there.resources.size }, secondsToConverge: ms / 1000 },
    };
    const broken = [
      ...some(`not as it should be after ${convergesWithin / 1000} s`, left),
      ...some('writes after everything was as it should be', wrote),
      ...some('writes outside a term', writesOutsideTerms(writes)),
      ...some(
        'denied',
        denied.map(({ process, what }) => `${process} ${what}`),
      ),
      ...some('ended badly', [...crashes, ...upheaval.badEnds, ...ends]),
      ...some('said without a reason', complaints),
    ];
    return { seed, counts, broken };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.kill()));
    await Promise.all(this.proxies.map((proxy) => proxy.stop()));
    await this.cluster.transport.close();
  }

  async #use(
    people: People,
    { pace, chance, over }: { readonly pace: number; readonly chance: Chance; readonly over: AbortSignal },
  ): Promise<void> {
    await people.createAll();
    while (!over.aborted) {
      await people.act();
      await pause(chance.between(0, pace), undefined, { signal: over }).catch(() => {});
    }
  }

  async #tell({
    people,
    upheaval,
    say,
    over,
  }: {
    readonly people: People;
    readonly upheaval: Upheaval;
    readonly say: (line: string) => void;
    readonly over: AbortSignal;
  }): Promise<void> {
    for (let second = 1; !over.aborted; second++) {
      await pause(1_000, undefined, { signal: over }).catch(() => {});
      await Promise.all(this.replicas.map((replica) => replica.metrics()));
      if (second % 20 === 0) say(`${second} s: ${JSON.stringify({ ...people.counts, ...upheaval.counts })}`);
    }
  }

  /** Looks until there is no difference, or the time is over. */
  async #converge(census: Census, signal: AbortSignal): Promise<{ ms: number; left: readonly string[] }> {
    const began = performance.now();
    for (;;) {
      signal.throwIfAborted();
      const left = await census.differences();
      const ms = Math.round(performance.now() - began);
      if (left.length === 0 || ms > convergesWithin) return { ms, left };
      await pause(500);
    }
  }

  /** The last writes of those that never end; none when the operator comes to rest. */
  async #restless(): Promise<readonly string[]> {
    const quiet = 5_000;
    const recent = async () => {
      const writes = (await auditedRequests(this.controlPlane.auditLog)).filter(isWrite);
      return writes.filter(({ at, holder }) => holder === undefined && at > Date.now() - quiet).map(({ what }) => what);
    };
    const atRest = async () => (await recent()).length === 0;
    return until(atRest, { what: 'rest', within: 60_000, every: 1_000 }).then(() => [], recent);
  }

  /** Asks both to end. @returns what is wrong about that */
  async #end(): Promise<readonly string[]> {
    await Promise.all(this.replicas.map((replica) => replica.metrics()));
    const codes = await Promise.all(this.replicas.map((replica) => replica.terminate()));
    return codes.filter((code) => code !== 0).map((code) => `ended with ${code} when it was asked to end at last`);
  }
}

/** Aborts with another signal, or after so many milliseconds. `AbortSignal.any` would lose a timeout to the collector. */
function orAfter(signal: AbortSignal, ms: number): AbortSignal {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), ms);
  signal.addEventListener('abort', () => over.abort());
  over.signal.addEventListener('abort', () => clearTimeout(timer));
  return over.signal;
}

function isWithin(at: number, { from, to }: Outage): boolean {
  return at >= from && at <= to;
}

function some(what: string, lines: readonly string[]): readonly string[] {
  const shown = lines.slice(0, most).map((line) => `${what}: ${line}`);
  return lines.length > most ? [...shown, `${what}: … and ${lines.length - most} more`] : shown;
}
