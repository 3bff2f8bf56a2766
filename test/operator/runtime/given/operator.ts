import { apiVersionOf, Event, type ObjectKind } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject, Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { type ReconcileResult, silent, type Telemetry } from '../../../../operator/runtime/ports/telemetry.js';
import { Operator, type OperatorOptions } from '../../../../operator/runtime/reconcile/operator.js';
import { MemoryCluster } from '../../../../operator/testing/index.js';
import type { Loose } from '../../../given.js';
import { FakeClock, settled } from '../../fake-clock.js';
import { widgetController, widgetKind } from './widgets.js';

/** An operator on a memory cluster, on a clock that the test moves. */
export class GivenOperator {
  readonly operator: Operator;
  readonly clock = new FakeClock();
  readonly memory: MemoryCluster;
  /** Passes that ended, by their result. */
  readonly passes: ReconcileResult[] = [];
  /** Times that a controller took a resource up, those included that found nothing to make a pass for. */
  looks = 0;
  /** Log lines of level warning and error. */
  readonly complaints: string[] = [];
  /** All log lines with their fields, as JSON. */
  readonly logged: string[] = [];
  readonly #ending = new AbortController();
  ended: Promise<void> = Promise.resolve();
  hasEnded = false;

  /** @param faults wraps the cluster that the operator works with */
  constructor(
    {
      faults = (cluster: Cluster) => cluster,
      ...options
    }: Partial<OperatorOptions> & { faults?: (c: Cluster) => Cluster } = {},
    memory?: MemoryCluster,
  ) {
    this.memory = memory ?? new MemoryCluster({ now: () => this.clock.now() });
    const note = (fields: object, message: string) => {
      const plain = (_: string, value: unknown) => (value instanceof Error ? String(value) : value);
      this.logged.push(JSON.stringify({ ...fields, message }, plain));
    };
    const complain = (fields: object, message: string) => {
      this.complaints.push(message);
      note(fields, message);
    };
    const telemetry: Telemetry = {
      ...silent,
      log: { debug: note, info: note, warn: complain, error: complain },
      reconciled: ({ result }) => this.passes.push(result),
      reconcileStarted: () => {
        this.looks++;
      },
    };
    this.operator = new Operator({
      controllers: [widgetController()],
      cluster: faults(this.memory),
      ...{ clock: this.clock, telemetry, identity: 'test', namespaces: [] },
      ...{
        maxConcurrentReconciles: 4,
        resyncPeriod: 30_000,
        reconcileTimeout: 120_000,
        gracefulShutdownTimeout: 30_000,
      },
      ...options,
    });
  }

  async start(): Promise<this> {
    this.ended = this.operator.run(this.#ending.signal).then(() => {
      this.hasEnded = true;
    });
    await settled();
    return this;
  }

  /** Sets the status that Kubernetes reports of the resource's object. */
  async status(kind: ObjectKind, status: object): Promise<void> {
    const metadata = { name: 'web', namespace: 'team' };
    const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, status };
    await this.memory.apply(kind, object, { manager: 'kubernetes', subresource: 'status' });
    await settled();
  }

  /** SIGTERM. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await settled();
  }

  /** Stopped as after a test, with time for pending work. */
  async close(): Promise<void> {
    await this.stop();
    await this.clock.advance(60_000);
    await this.ended;
  }

  async given(kind: ObjectKind, object: Manifest): Promise<LiveObject> {
    const made = await this.memory.apply(kind, object, { manager: 'somebody' });
    await settled();
    return made;
  }

  async widget(name = 'web'): Promise<Loose | undefined> {
    return (await this.memory.read(widgetKind, { namespace: 'team', name })) as Loose | undefined;
  }

  /** The writes of the operator, without its lease. An event has the name of its resource. */
  get writes(): string[] {
    return this.memory.writes
      .filter(({ kind, manager }) => kind !== 'Lease' && manager !== 'somebody')
      .map(({ verb, kind, key, subresource }) => {
        const name = kind === Event.kind ? key.replace(/\.[0-9a-f]{16}$/, '') : key;
        return `${verb} ${kind}${subresource ? `/${subresource}` : ''} ${name}`;
      });
  }
}
