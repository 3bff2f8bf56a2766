import { App, Chart } from 'cdk8s';
import type { SecretRotationResource } from '../../../../imports/index.js';
import { contentHash } from '../../../../operator/consumers/annotation.js';
import type { RolloutRequest, WorkloadsQuestion } from '../../../../operator/consumers/workloads.js';
import { secretRotation } from '../../../../operator/controllers/secret-rotation/index.js';
import type { UserQuestion, UserRequest } from '../../../../operator/kafka/users.js';
import { drawSource } from '../../../../operator/passwords/draw-source.js';
import { ExternalCall, type Manifest } from '../../../../operator/runtime/index.js';
import { factsOf } from '../../../../operator/testing/index.js';
import type { GivenKafka } from '../../../given/kafka.js';
import type { GivenEngine } from './given-engine.js';
import type { ProducingClients } from './producing-clients.js';

type Data = Readonly<Record<string, string>>;

/** What a rotation runs against. */
export interface Around {
  readonly kafka: GivenKafka;
  readonly engine: GivenEngine;
  readonly clients: ProducingClients;
  /** What the controller reads of other objects. */
  readonly reads: object;
}

/**
 * Reconciles a SecretRotation against a real Kafka, without an API server: its Secrets are in memory, and an hour passes
 * between two reconciles.
 */
export class RotatedInKafka {
  readonly #secrets = new Map<string, Data>();
  #now = Date.parse('2026-11-27T00:00:00Z');
  /** The content that the clients were last rolled for. */
  #rolled: string | undefined;
  /** The reasons of its conditions after the last reconcile. */
  reasons: Readonly<Record<string, string | undefined>> = {};
  /** Everything that the controller would log, report or send. */
  readonly said: string[] = [];

  constructor(
    public resource: SecretRotationResource,
    private readonly around: Around,
  ) {}

  /** The decoded data of a Secret. */
  decoded(name: string): Data {
    const data = this.#secrets.get(name) ?? {};
    return Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]));
  }

  /** One reconcile. @returns the number of calls that were due, of which one is sent */
  async reconcile(): Promise<number> {
    this.#now += 3_600_000;
    const polled = {
      ...{ drawn: await this.#draw(), logins: undefined, workloads: this.#look() },
      ...{ userA: await this.#ask('userA'), userB: await this.#ask('userB') },
    };
    const given = { owned: this.#owned(), reads: this.around.reads, polled, now: new Date(this.#now) };
    const chart = new Chart(new App(), 'rotation', { namespace: 'shop' });
    secretRotation.desire(chart, factsOf(this.resource, given as never));
    for (const { metadata, data } of chart.toJson() as (Manifest & { readonly data: Data })[])
      this.#secrets.set(metadata.name, data);
    const calls = chart.node.findAll().filter(ExternalCall.isExternalCall);
    const outcome = factsOf(this.resource, { ...given, owned: this.#owned() } as never);
    const { status, conditions, events } = secretRotation.assess(outcome);
    this.resource = { ...this.resource, status: { ...this.resource.status, ...status } } as SecretRotationResource;
    this.reasons = Object.fromEntries(Object.entries(conditions).map(([type, mark]) => [type, mark?.reason]));
    const [call] = calls;
    this.said.push(JSON.stringify({ status, conditions, events, call: call?.props.request }));
    if (call) await this.#send(call);
    return calls.length;
  }

  async #send({ node, props }: ExternalCall): Promise<void> {
    const { username = '', password = '', 'ca.crt': ca = '' } = this.decoded(this.resource.spec.secretName);
    if (node.id === 'rollout') {
      this.#rolled = (props.request as RolloutRequest).hash;
      return this.around.clients.roll({ username, password, ca }, this.#rolled);
    }
    const { cluster: _, namespace: __, secret: ___, bootstrap: ____, ...request } = props.request as UserRequest;
    const secret = props.secret === undefined ? undefined : this.decoded(String(props.secret));
    await this.around.engine.changeUser(request as never, secret);
  }

  #requestOf(poll: string) {
    const facts = factsOf(this.resource, { owned: this.#owned(), reads: this.around.reads as never });
    return secretRotation.polls[poll]?.request(facts);
  }

  async #draw() {
    const request = this.#requestOf('drawn');
    return request && this.#answer(await drawSource(request.question as never));
  }

  /** The brokers of the test have other addresses than those of a cluster in Pods. */
  async #ask(poll: 'userA' | 'userB') {
    const request = this.#requestOf(poll);
    if (!request) return undefined;
    const { user, login } = request.question as UserQuestion;
    const [address] = this.around.kafka.users;
    const tried = login && address && { login: { ...login, address } };
    const secret = request.secret === undefined ? undefined : this.decoded(String(request.secret));
    return this.#answer(await this.around.engine.user({ user, ...tried }, secret));
  }

  #look() {
    const question = this.#requestOf('workloads')?.question as WorkloadsQuestion | undefined;
    if (!question) return undefined;
    const { hash } = question;
    const published = contentHash(this.#secrets.get(this.resource.spec.secretName) ?? {});
    const phase =
      this.#rolled !== published ? 'Outdated' : this.around.clients.hash === hash ? 'Current' : 'RollingOut';
    return this.#answer({ hash, states: question.workloads.map((one) => ({ ...one, uid: 'uid', phase })) });
  }

  #answer<A>(value: A) {
    return { known: true, value, at: this.#now, earlier: [] };
  }

  #owned(): readonly Manifest[] {
    const stored = (name: string, data: Data) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, data });
    return [...this.#secrets].map(([name, data]) => stored(name, data));
  }
}
