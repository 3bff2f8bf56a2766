import { setTimeout as pause } from 'node:timers/promises';
import {
  type AlgorithmResource,
  type AlgorithmSpecInput,
  algorithmKind,
  httpRouteKind,
} from '../../../imports/index.js';
import { Deployment } from '../../../operator/index.js';
import { conditionOf } from '../../../operator/runtime/index.js';
import { until } from '../../chaos/wait.js';
import { serverImage } from '../../images/project-images.js';
import { ClientPod } from '../client/client-pod.js';
import type { ClientOptions, Period } from '../client/counting-client.js';
import { OutsideClient } from '../client/outside-client.js';
import { answered, type Tally, tallyOf } from '../client/tally.js';
import { read } from '../cluster/api.js';
import { slower } from '../cluster/kill-mode.js';
import { applied } from '../cluster/kubectl.js';

type Lifecycle = NonNullable<AlgorithmSpecInput['lifecycle']>;

/** The server of a version, small and quick to start. */
export function specOf(version: string): AlgorithmSpecInput {
  return {
    image: serverImage(version),
    replicas: 2,
    // Pods that share a busy machine are slow, not ill.
    probes: { path: '/healthz', periodSeconds: 1, timeoutSeconds: 5 },
    // As much of a busy machine as who asks them gets, and room for the program's own pages: with 64Mi it is read again and again.
    resources: { requests: { cpu: '100m', memory: '128Mi' } },
    metrics: {},
  };
}

/** A trial that is looked at often, and so soon over. */
export function quick(trial: Lifecycle['trial'] = {}): Lifecycle {
  return { canaryWeight: 20, trial: { interval: '2s', bake: '0s', deadline: '4m', ...trial } };
}

/** A client, wherever it is. */
interface Counting {
  periods(): Promise<readonly Period[]>;
}

/** An Algorithm as a user has it: applied, edited, watched, and asked by clients that count. */
export class TriedAlgorithm {
  readonly clients: Counting[] = [];

  constructor(
    readonly namespace: string,
    readonly name: string,
    public spec: AlgorithmSpecInput,
  ) {}

  /** Applies its spec with changes, which stay. */
  async apply(changes: Partial<AlgorithmSpecInput> = {}): Promise<void> {
    this.spec = { ...this.spec, ...changes };
    const { namespace, name, spec } = this;
    await applied({ apiVersion: 'ai.alien6.io/v1', kind: 'Algorithm', metadata: { namespace, name }, spec });
  }

  async live(): Promise<AlgorithmResource> {
    const { namespace, name } = this;
    const live = await read(algorithmKind, { namespace, name });
    if (live) return live;
    throw new Error(`there is no Algorithm ${namespace}/${name}`);
  }

  /** Resolves when its status meets a condition. @param within seconds. @returns when that was seen, milliseconds since 1970 */
  async until(what: string, isSo: (algorithm: AlgorithmResource) => boolean, within = 90): Promise<number> {
    const asked = async () => isSo(await this.live());
    await until(asked, { what: `${this.name}: ${what}`, within: within * 1000 * slower, every: 100 });
    return Date.now();
  }

  /** Resolves when its route gives the version on trial that share of the requests, in per cent. @param within seconds */
  async untilWeight(weight: number, within = 90): Promise<void> {
    const { namespace, name } = this;
    const given = async () => {
      const route = await read(httpRouteKind, { namespace, name });
      const backends = route?.spec.rules?.flatMap(({ matches, backendRefs = [] }) =>
        matches?.some(({ headers }) => headers !== undefined) ? [] : backendRefs,
      );
      return backends?.find((one) => one.name === `${name}-trial`)?.weight === weight;
    };
    await until(given, { what: `${weight}% of the requests of ${name} go to the trial`, within: within * 1000 });
    await pause(3000); // for the proxies, on a busy machine
  }

  /** How many pods of a Deployment of its own are ready. */
  async ready(deployment: string): Promise<number> {
    const live = await read(Deployment, { namespace: this.namespace, name: deployment });
    return live?.status?.readyReplicas ?? 0;
  }

  /** Starts a client in a pod. */
  async ask(name: string, options: Omit<ClientOptions, 'url'>): Promise<ClientPod> {
    const client = await ClientPod.start(this.namespace, name, { url: `http://${this.name}/`, ...options });
    this.clients.push(client);
    return client;
  }

  /** Starts a client on this machine, which ends with the tests of the file. @returns whether it reaches the pods */
  async askFromOutside(options: Omit<ClientOptions, 'url'>): Promise<boolean> {
    const client = await OutsideClient.start(this, options);
    if (client === undefined) return false;
    this.clients.push(client);
    return true;
  }

  /** Ends the clients on this machine. */
  async stop(): Promise<void> {
    await Promise.all(this.clients.map((client) => client instanceof OutsideClient && client.stop()));
  }

  /** What all clients have counted. */
  async periods(): Promise<readonly Period[]> {
    return (await Promise.all(this.clients.map((client) => client.periods()))).flat();
  }

  /** What all clients count from now on, once there are so many answers. */
  async tallyOfNext(requests: number): Promise<Tally> {
    const since = Date.now();
    let tally = tallyOf([]);
    const enough = async () => {
      tally = tallyOf(await this.periods(), since);
      return answered(tally) >= requests;
    };
    await until(enough, { what: `${requests} answers of ${this.name}`, within: 120_000, every: 1000 });
    return tally;
  }
}

/** Whether the last spec was looked at, and is in a phase. */
export function isIn(...phases: readonly string[]): (algorithm: AlgorithmResource) => boolean {
  return ({ metadata, status }) =>
    status?.observedGeneration === metadata.generation && phases.includes(status?.phase ?? '');
}

/** Whether a gateway splits its requests. */
export function isRouted({ status }: AlgorithmResource): boolean {
  return status?.conditions?.some(({ type, status }) => type === 'Routed' && status === 'True') ?? false;
}

/** The reason and the message of a condition. */
export function said(resource: AlgorithmResource, type: string): string {
  const condition = conditionOf(resource, type);
  return condition ? `${condition.reason}: ${condition.message}` : `no condition ${type}`;
}
