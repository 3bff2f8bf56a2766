import { App, Chart } from 'cdk8s';
import type { SecretRotationResource } from '../../../imports/index.js';
import { contentHash } from '../../../operator/consumers/annotation.js';
import type { RolloutRequest, WorkloadsAnswer, WorkloadsQuestion } from '../../../operator/consumers/workloads.js';
import { secretRotation } from '../../../operator/controllers/secret-rotation/index.js';
import type { LoginsRequest } from '../../../operator/controllers/secret-rotation/ports/logins.js';
import { loginsFrom } from '../../../operator/engines/postgres/logins-source.js';
import { drawSource } from '../../../operator/passwords/draw-source.js';
import type { LiveSecret, Manifest } from '../../../operator/runtime/index.js';
import { ExternalCall } from '../../../operator/runtime/index.js';
import type { Cluster } from '../../../operator/runtime/ports/cluster.js';
import type { Perform, SecretData, Source } from '../../../operator/runtime/ports/external-port.js';
import { factsOf } from '../../../operator/testing/index.js';
import { anyHost } from './given-postgres.js';

type Data = Readonly<Record<string, string>>;

/** The workload of a rotation. */
export interface Workload {
  readonly hash: () => string | undefined;
  readonly roll: (hash: string) => void;
}

/**
 * Reconciles a SecretRotation against the real PostgreSQL, without an API server: its Secrets are in memory, and an hour
 * passes between two reconciles.
 */
export class RotatedInMemory {
  readonly secrets = new Map<string, Data>();
  /** The content that the workload was last rolled for. */
  rolled: string | undefined;
  /** The reasons of its conditions after the last reconcile. */
  reasons: Readonly<Record<string, string | undefined>> = {};
  /** Everything that the controller would log, report or send. */
  readonly said: string[] = [];
  #now = Date.parse('2026-11-27T00:00:00Z');
  readonly #logins;

  constructor(
    public resource: SecretRotationResource,
    readonly workload: Workload,
  ) {
    const read = async (_: unknown, { name }: { readonly name: string }) => {
      const data = this.secrets.get(name);
      return data && ({ data } as unknown as LiveSecret);
    };
    this.#logins = loginsFrom({ read } as unknown as Pick<Cluster, 'read'>, anyHost);
  }

  /** The decoded data of a Secret. */
  decoded(name: string): Data {
    const data = this.secrets.get(name) ?? {};
    return Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]));
  }

  /** One reconcile. @returns the call that it sent */
  async reconcile(): Promise<string | undefined> {
    this.#now += 3_600_000;
    const polled = { drawn: await this.#draw(), logins: await this.#ask(), workloads: await this.#look() };
    const given = { owned: this.#owned(), reads: { database: undefined }, polled, now: new Date(this.#now) };
    const chart = new Chart(new App(), 'rotation', { namespace: 'shop' });
    secretRotation.desire(chart, factsOf(this.resource, given as never));
    for (const { metadata, data } of chart.toJson() as (Manifest & { readonly data: Data })[])
      this.secrets.set(metadata.name, data);
    const [call] = chart.node.findAll().filter(ExternalCall.isExternalCall);
    const outcome = factsOf(this.resource, { ...given, owned: this.#owned() } as never);
    const { status, conditions, events } = secretRotation.assess(outcome);
    this.resource = { ...this.resource, status: { ...this.resource.status, ...status } } as SecretRotationResource;
    this.reasons = Object.fromEntries(Object.entries(conditions).map(([type, mark]) => [type, mark?.reason]));
    this.said.push(JSON.stringify({ status, conditions, events, call: call?.props.request, polled: polled.logins }));
    if (call) await this.#send(call);
    return call?.node.id;
  }

  async #send({ node, props }: ExternalCall): Promise<void> {
    if (node.id === 'rollout') {
      this.rolled = (props.request as RolloutRequest).hash;
      return this.workload.roll(this.rolled);
    }
    const perform = this.#logins.performer?.perform as Perform<LoginsRequest>;
    const options = {
      signal: AbortSignal.timeout(30_000),
      mayLeave: () => {},
      secret: this.decoded(String(props.secret)),
    };
    try {
      await perform(props.request as LoginsRequest, options);
    } catch (error) {
      this.said.push(String(error));
    }
  }

  #requestOf(poll: string) {
    const facts = factsOf(this.resource, { owned: this.#owned(), reads: { database: undefined } as never });
    return secretRotation.polls[poll]?.request(facts);
  }

  async #draw() {
    const request = this.#requestOf('drawn');
    return request && this.#answer(await drawSource(request.question as never));
  }

  async #ask() {
    const request = this.#requestOf('logins');
    if (!request) return undefined;
    const secret: { secret?: SecretData } =
      request.secret === undefined ? {} : { secret: this.decoded(String(request.secret)) };
    const source = this.#logins.source as Source<unknown, unknown>;
    return this.#answer(await source(request.question, { signal: AbortSignal.timeout(30_000), ...secret }));
  }

  async #look() {
    const question = this.#requestOf('workloads')?.question as WorkloadsQuestion | undefined;
    if (!question) return undefined;
    const { hash } = question;
    const published = contentHash(this.secrets.get(this.resource.spec.secretName) ?? {});
    const phase = this.rolled !== published ? 'Outdated' : this.workload.hash() === hash ? 'Current' : 'RollingOut';
    const states = question.workloads.map(({ kind, name }) => ({ kind, name, uid: 'uid', phase }) as const);
    return this.#answer<WorkloadsAnswer>({ hash, states });
  }

  #answer<A>(value: A) {
    return { known: true, value, at: this.#now, earlier: [] };
  }

  #owned(): readonly Manifest[] {
    const stored = (name: string, data: Data) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, data });
    return [...this.secrets].filter(([name]) => name !== 'admin').map(([name, data]) => stored(name, data));
  }
}
