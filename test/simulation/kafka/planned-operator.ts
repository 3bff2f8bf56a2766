import { bootstrappedAnnotation, nodesOf } from '../../../operator/controllers/kafka/cluster/nodes/nodes.js';
import {
  illnessOf,
  isOutdated,
  type NodePlan,
  planOf,
  targetOf,
} from '../../../operator/controllers/kafka/cluster/plan/index.js';
import { type Situation, stayingIn } from '../../../operator/controllers/kafka/cluster/situation.js';
import type { ClusterAnswer } from '../../../operator/controllers/kafka/ports/cluster.js';
import { retiredLabel, revisionAnnotation } from '../../../operator/members/index.js';
import { type LivePod, PersistentVolumeClaim, Pod } from '../../../operator/runtime/index.js';
import type { KafkaJudge } from './kafka-judge.js';
import { cluster, grace, type KafkaMachines, levels, namespace } from './kafka-machines.js';
import type { KafkaModel, ModelRequest } from './kafka-model.js';

/** What a user wants. */
export interface Wish {
  readonly brokers: number;
  /** The number of dedicated controllers. */
  readonly controllers: number;
  /** The brokers are the controllers. */
  readonly combined: boolean;
  readonly version: '4.3' | '4.4';
  readonly keepsRemoved: boolean;
}

/** What the status of the KafkaCluster keeps. */
export interface Kept {
  isBootstrapped: boolean;
  rolledOut?: { readonly version: string; readonly at: number } | undefined;
  restart?: Situation['restart'];
}

interface Answered {
  readonly value: ClusterAnswer;
  /** When it was asked for, in milliseconds. */
  readonly at: number;
  readonly question: string;
}

interface World {
  readonly kafka: KafkaModel;
  readonly machines: KafkaMachines;
  readonly judge: KafkaJudge;
  readonly kept: Kept;
  readonly wish: () => Wish;
  readonly now: () => number;
  readonly say: (what: string) => void;
  /** Whether the operator reaches the brokers. */
  readonly isReachable: () => boolean;
}

const dedicated = [
  { name: 'controller', role: 'controller' as const },
  { name: 'broker', role: 'broker' as const },
];
const combined = [{ name: 'broker', role: 'broker' as const, isCombined: true }];
const config = { 'min.insync.replicas': '2' };
const options = { manager: 'operator' };
/** Milliseconds. */
const interval = 5_000;

/**
 * One process of the operator, as far as the plan needs it: it observes, plans, applies, prunes and calls, one act at a
 * time, and what it knows of the brokers is some steps old. It keeps the rule of the runtime that a call is sent only on an
 * answer that was asked for after the call before.
 */
export class PlannedOperator {
  #answer: Answered | undefined;
  #poll: { readonly due: number; readonly answered: Answered | undefined } | undefined;
  #polledAt = Number.NEGATIVE_INFINITY;
  #calledAt = Number.NEGATIVE_INFINITY;
  #acts: AsyncGenerator<void> | undefined;

  constructor(readonly world: World) {}

  /** What this process would do next. Empty at rest. */
  get outlook(): readonly string[] {
    return planOf(this.#situation()).steps.map(({ act, why }) => `${act}: ${why}`);
  }

  /** Asks the brokers when it is time, and hears what they answered. @param delay milliseconds until it hears */
  poll(delay: number): void {
    const { kafka, now, isReachable } = this.world;
    if (this.#poll && now() >= this.#poll.due) {
      this.#answer = this.#poll.answered;
      this.#poll = undefined;
    }
    const question = this.#question();
    const isDue = now() - this.#polledAt >= interval || this.#calledAt >= this.#polledAt;
    if (this.#poll || !question || (!isDue && this.#answer?.question === JSON.stringify(question))) return;
    this.#polledAt = now();
    let answered: Answered | undefined;
    try {
      if (isReachable()) answered = { value: kafka.answer(question), at: now(), question: JSON.stringify(question) };
    } catch {
      answered = undefined;
    }
    this.#poll = { due: now() + delay, answered };
  }

  /** The next act of a reconcile. */
  async act(): Promise<void> {
    this.#acts ??= this.#reconcile();
    try {
      const { done } = await this.#acts.next();
      if (done) this.#acts = undefined;
    } catch (error) {
      this.world.say(`fails: ${String(error)}`);
      this.#acts = undefined;
    }
  }

  #seen(): Situation['nodes'] {
    const { machines } = this.world;
    const { pods, claims, nodes, gone } = machines;
    return nodesOf({ cluster, groups: this.#groups(), pods, claims, nodes, gone, topologyKey: 'zone' });
  }

  #question() {
    const nodes = this.#seen();
    const isUp = this.world.kept.isBootstrapped || nodes.some(({ role, isReady }) => role === 'broker' && isReady);
    const staying = stayingIn({ groups: this.#groups(), nodes }).filter(({ role }) => role === 'broker');
    const onto = staying.map(({ id }) => id);
    if (!isUp || onto.length === 0) return undefined;
    return { from: nodes.filter(({ id, role }) => role === 'broker' && !onto.includes(id)).map(({ id }) => id), onto };
  }

  #groups(): Situation['groups'] {
    const { brokers, controllers, version, combined: isCombined } = this.world.wish();
    return (isCombined ? combined : dedicated).map((group) => ({
      ...group,
      ...{ replicas: group.role === 'broker' ? brokers : controllers, revision: version },
    }));
  }

  #situation(): Situation {
    const { kept, machines, now } = this.world;
    const { version, keepsRemoved } = this.world.wish();
    const question = JSON.stringify(this.#question());
    const answer = this.#answer?.question === question ? this.#answer : undefined;
    const isMarked = machines.claims.some(({ metadata }) => metadata.annotations?.[bootstrappedAnnotation] === 'true');
    const since = kept.rolledOut?.version === version ? kept.rolledOut.at : undefined;
    return {
      ...{
        groups: this.#groups(),
        nodes: this.#seen(),
        cluster: answer?.value,
        answeredAt: answer?.at,
        now: now(),
        config,
        throttle: 1_000,
      },
      ...{ isBootstrapped: kept.isBootstrapped || isMarked, replaceAfter: 60_000, rebalances: true, keepsRemoved },
      restart: kept.restart,
      finalization: { level: levels[version] ?? 0, due: since === undefined ? undefined : since + 20_000 },
    };
  }

  async *#reconcile(): AsyncGenerator<void> {
    const { machines, kept, say, judge } = this.world;
    const situation = this.#situation();
    const answeredAt = this.#answer?.at ?? Number.NEGATIVE_INFINITY;
    const { memory, pods, claims } = machines;
    const plan = planOf(situation);
    const [step] = plan.steps.filter(({ act }) => act !== 'wait');
    if (step) say(`plans ${step.act}: ${step.why}`);
    const name = ({ group, id }: NodePlan) => `${cluster}-${group}-${id}`;
    for (const claim of plan.claims) {
      const live = claims.find(({ metadata }) => metadata.name === name(claim));
      const mark: { readonly annotations: Readonly<Record<string, string>> } = {
        annotations: situation.isBootstrapped ? { [bootstrappedAnnotation]: 'true' } : {},
      };
      const labels: Readonly<Record<string, string>> =
        claim.retired === undefined ? {} : { [retiredLabel]: claim.retired };
      const isSame = live?.metadata.labels?.[retiredLabel] === claim.retired && live !== undefined;
      if (isSame && live.metadata.annotations?.[bootstrappedAnnotation] === mark.annotations[bootstrappedAnnotation])
        continue;
      const metadata = { name: name(claim), namespace, labels, ...mark };
      await memory.apply(PersistentVolumeClaim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata }, options);
      yield;
    }
    for (const pod of plan.pods) {
      if (pods.some(({ metadata }) => metadata.name === name(pod))) continue;
      const revision = situation.groups.find((group) => group.name === pod.group)?.revision ?? 'removed';
      const metadata = {
        name: name(pod),
        namespace,
        finalizers: [grace],
        annotations: { [revisionAnnotation]: revision },
      };
      await memory.create(Pod, { apiVersion: 'v1', kind: 'Pod', metadata, spec: {} } as never, options);
      yield;
    }
    const wanted = new Set(plan.pods.map(name));
    for (const live of pods) {
      const { metadata } = live;
      if (wanted.has(metadata.name) || metadata.deletionTimestamp !== undefined) continue;
      await this.#remove(live, answeredAt);
      yield;
    }
    const kept_ = new Set(plan.claims.map(name));
    for (const { metadata } of claims) {
      if (kept_.has(metadata.name)) continue;
      judge.removes(metadata.name);
      await memory.remove(PersistentVolumeClaim, metadata, metadata);
      yield;
    }
    this.#report(situation, kept);
    const announced = plan.steps.flatMap((one) => (one.act === 'wait' && one.announces ? [one.announces] : []))[0];
    if (announced) kept.restart = { node: announced.name, target: targetOf(announced, situation) };
    const call = plan.steps.find(({ act }) => act === 'call');
    if (call?.act !== 'call' || answeredAt <= this.#calledAt) return;
    yield;
    this.#call(call.request as ModelRequest, answeredAt);
  }

  async #remove(live: LivePod, answeredAt: number): Promise<void> {
    const { machines, judge, say } = this.world;
    const { memory } = machines;
    const { metadata } = live;
    const now = machines.pods.find((one) => one.metadata.uid === metadata.uid);
    // The API server refuses to delete what has changed since it was observed.
    if (now?.metadata.resourceVersion === metadata.resourceVersion) {
      say(`deletes Pod ${metadata.name}`);
      judge.takesDown(metadata.name, { answeredAt });
    }
    await memory.remove(Pod, metadata, metadata);
  }

  #report(situation: Situation, kept: Kept): void {
    const { version } = this.world.wish();
    if (situation.cluster && situation.cluster.quorum.leader >= 0) kept.isBootstrapped = true;
    const staying = stayingIn(situation);
    const wanted = situation.groups.reduce((sum, { replicas }) => sum + replicas, 0);
    const isDone =
      staying.length === wanted && staying.every((node) => node.pod === 'there' && !isOutdated(node, situation));
    const serves = staying.every((node) => illnessOf(node, situation) === undefined);
    if (!isDone) kept.rolledOut = undefined;
    else if (serves && situation.cluster && kept.rolledOut?.version !== version)
      kept.rolledOut = { version, at: situation.now };
  }

  #call(request: ModelRequest, answeredAt: number): void {
    const { kafka, judge, say, now, isReachable } = this.world;
    this.#calledAt = now();
    if (!isReachable()) return;
    say(`calls ${JSON.stringify(request)}`);
    judge.asks(request, { answeredAt });
    kafka.perform(request);
  }
}
