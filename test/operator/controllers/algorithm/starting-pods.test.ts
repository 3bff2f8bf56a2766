import { afterEach, describe, expect, test } from 'vitest';
import { algorithmSpec, withDefaults } from '../../../../crds/index.js';
import { type AlgorithmResource, algorithmKind } from '../../../../imports/index.js';
import { algorithm } from '../../../../operator/controllers/algorithm/index.js';
import { startingPodsFrom } from '../../../../operator/engines/metrics/starting-pods-source.js';
import {
  type Controller,
  conditionOf,
  Deployment,
  type LiveDeployment,
  type ObjectKind,
} from '../../../../operator/runtime/index.js';
import { Pod } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { MemoryCluster } from '../../../../operator/testing/index.js';
import { podLabels } from '../../../../src/index.js';
import { bound } from '../../runtime/given/house.js';
import { GivenOperator } from '../../runtime/given/operator.js';

const somebody = { manager: 'somebody' };
const place = { name: 'reco', namespace: 'team' };
const failed = { type: 'ReplicaFailure', status: 'True', message: 'exceeded quota: gpus' };
const late = { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' };

const running: GivenOperator[] = [];
afterEach(() => Promise.all(running.splice(0).map((one) => one.stop())));

/** Calls back after each write of a Deployment. */
function observed(cluster: Cluster, written: () => (() => Promise<void>) | undefined): Cluster {
  const then = async <T>(kind: ObjectKind, result: Promise<T>): Promise<T> => {
    const after = await result;
    if (kind === Deployment) await written()?.();
    return after;
  };
  const whole = bound(cluster);
  return {
    ...whole,
    apply: (kind, ...rest) => then(kind, whole.apply(kind, ...rest)),
    patch: (kind, ...rest) => then(kind, whole.patch(kind, ...rest)),
  };
}

/** An Algorithm of 3 replicas whose Deployment has this status, and whose Pods lack their image. */
class Start {
  /** Lists of Pods, in seconds since the first status of the Deployment. */
  readonly asked: number[] = [];
  readonly #operator: GivenOperator;
  #began = 0;
  /** Kubernetes observes each update of the Deployment before the operator continues. */
  observe: (() => Promise<void>) | undefined;

  constructor(readonly memory: MemoryCluster = new MemoryCluster()) {
    const list = ((kind: ObjectKind, query: object) => {
      if (kind === Pod) this.asked.push((this.#operator.clock.monotonic() - this.#began) / 1_000);
      return this.memory.list(kind, query as never);
    }) as MemoryCluster['list'];
    const ports = [startingPodsFrom({ list })];
    const faults = (cluster: Cluster) => observed(cluster, () => this.observe);
    this.#operator = new GivenOperator({ controllers: [algorithm as unknown as Controller], ports, faults }, memory);
    running.push(this.#operator);
  }

  static async with(status: object): Promise<Start> {
    const start = new Start();
    await start.#operator.start();
    await start.apply();
    await start.#pod();
    start.#began = start.#operator.clock.monotonic();
    await start.pods(status);
    return start;
  }

  async restarted(): Promise<Start> {
    await this.#operator.stop();
    const next = new Start(this.memory);
    next.#began = next.#operator.clock.monotonic();
    await next.#operator.start();
    return next;
  }

  async apply(image = 'reco:nope'): Promise<void> {
    const spec = withDefaults(algorithmSpec, { image, replicas: 3 });
    const object = { apiVersion: 'ai.alien6.io/v1', kind: 'Algorithm', metadata: place, spec };
    await this.#operator.given(algorithmKind, object as Manifest);
  }

  /** An edit whose Deployment Kubernetes observes at once. */
  async applyObserved(image: string): Promise<void> {
    this.observe = () => this.#observed({});
    await this.apply(image);
    this.observe = undefined;
  }

  /** The Deployment has this many Pods. */
  async pods(status: object): Promise<void> {
    await this.#observed(status);
    await this.pass(0);
  }

  async #observed(status: object): Promise<void> {
    const { metadata } = (await this.memory.read(Deployment, place)) as LiveDeployment;
    const all = { observedGeneration: metadata.generation, replicas: 3, updatedReplicas: 3, ...status };
    const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: place, status: all };
    await this.memory.apply(Deployment, object as Manifest, { ...somebody, subresource: 'status' });
  }

  pass(seconds: number): Promise<void> {
    return this.#operator.clock.advance(seconds * 1_000);
  }

  async available(): Promise<string | undefined> {
    const resource = (await this.memory.read(algorithmKind, place)) as unknown as AlgorithmResource;
    return conditionOf(resource, 'Available')?.message;
  }

  async #pod(): Promise<void> {
    const containers = [{ name: 'server', image: 'reco:nope' }];
    const state = { waiting: { reason: 'ImagePullBackOff' } };
    const containerStatuses = [{ ...containers[0], ready: false, restartCount: 0, state }];
    const metadata = { name: 'reco-1', namespace: 'team', labels: podLabels('reco') };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers }, status: { containerStatuses } };
    for (const part of [{}, { subresource: 'status' }] as const)
      await this.memory.apply(Pod, pod as unknown as Manifest, { ...somebody, ...part });
  }
}

const cause = 'The image reco:nope cannot be pulled, so no replica is ready';

describe('an Algorithm whose image does not exist', () => {
  test('names the cause after 15 s, and checks it again each 30 s', async () => {
    const start = await Start.with({});
    await start.pass(14.999);
    expect([start.asked, await start.available()]).toEqual([[], 'No replica is ready']);
    await start.pass(0.001);
    expect([start.asked, await start.available()]).toEqual([[15], cause]);
    await start.pass(60);
    expect(start.asked).toEqual([15, 45, 75]);
  });

  test('asks no more once a replica is ready', async () => {
    const start = await Start.with({});
    await start.pass(20);
    await start.pods({ availableReplicas: 1 });
    expect(await start.available()).toBe('At least one replica is ready');
    await start.pass(300);
    expect(start.asked).toEqual([15]);
  });

  test('is not blamed on the image of before after an edit', async () => {
    const start = await Start.with({});
    await start.pass(20);
    await start.apply('reco:2');
    expect(await start.available()).toBe('No replica is ready');
    await start.pods({});
    await start.pass(14);
    expect(start.asked).toEqual([15]);
    await start.pass(1);
    expect(start.asked).toEqual([15, 35]);
  });

  test('asks anew after an edit that Kubernetes observes at once', async () => {
    const start = await Start.with({});
    await start.pass(20);
    await start.applyObserved('reco:2');
    await start.pass(14);
    expect(start.asked).toEqual([15]);
    await start.pass(1);
    expect(start.asked).toEqual([15, 35]);
  });

  test('keeps the cause over a restart of the operator', async () => {
    const start = await Start.with({});
    await start.pass(20);
    const next = await start.restarted();
    await next.pass(14);
    expect([next.asked, await next.available()]).toEqual([[], cause]);
  });
});

describe('Pods are not asked for', () => {
  test('by an Algorithm that starts within 15 s', async () => {
    const start = await Start.with({});
    await start.pass(14.9);
    await start.pods({ availableReplicas: 3 });
    await start.pass(300);
    expect(start.asked).toEqual([]);
  });

  test.each([
    ['there are none', { replicas: 0, updatedReplicas: 0 }],
    ['they cannot be created', { conditions: [failed] }],
    ['one is ready', { availableReplicas: 1 }],
  ])('when %s', async (_, status) => {
    const start = await Start.with(status);
    await start.pass(300);
    expect(start.asked).toEqual([]);
  });
});

test('the cause of a failed rollout is asked for, even if old replicas are ready', async () => {
  const start = await Start.with({ availableReplicas: 3, updatedReplicas: 1, conditions: [late] });
  await start.pass(20);
  expect(start.asked).toEqual([15]);
});
