import { type LiveWorkload, workloadState } from '../../consumers/consumer-state.js';
import {
  type RolloutRequest,
  type WorkloadRef,
  type WorkloadState,
  type WorkloadsAnswer,
  type WorkloadsQuestion,
  workloads,
} from '../../consumers/workloads.js';
import { isApiError, messageOf } from '../../runtime/kubernetes/errors.js';
import { pointerToken } from '../../runtime/kubernetes/json.js';
import { DaemonSet, Deployment, type ObjectKind, StatefulSet } from '../../runtime/kubernetes/kinds.js';
import { type Clock, sleep } from '../../runtime/ports/clock.js';
import type { Cluster, PatchOperation } from '../../runtime/ports/cluster.js';
import { CallError } from '../../runtime/ports/external-call.js';
import { type PerformOptions, type Provided, provided } from '../../runtime/ports/external-port.js';

const kinds: Readonly<Record<WorkloadRef['kind'], ObjectKind>> = { Deployment, StatefulSet, DaemonSet };

/** The field manager of the annotations. */
const manager = 'reconstruct-consumers';
/** Milliseconds in which the changes of a workload by several Secrets become one rollout. */
const gathering = 1_000;

type Access = Pick<Cluster, 'read' | 'patch'>;

/** Reads and rolls workloads through the API server. */
export function workloadsFrom(cluster: Access, clock: Pick<Clock, 'after'>): Provided {
  const rollouts = new Rollouts(cluster, clock);
  return provided(workloads, (question, { signal }) => statesOf(question, { cluster, signal }), {
    perform: (request, options) => rollouts.roll(request, options),
    concurrency: 16,
    callsPerSecond: 100,
  });
}

async function statesOf(
  { namespace, workloads: all, annotation, hash }: WorkloadsQuestion,
  { cluster, signal }: { readonly cluster: Access; readonly signal: AbortSignal },
): Promise<WorkloadsAnswer> {
  const states = all.map(async ({ kind, name, restarts }): Promise<WorkloadState> => {
    const live = await cluster.read(kinds[kind], { namespace, name }, { signal });
    const state = workloadState(live as LiveWorkload | undefined, { annotation, hash, restarts });
    return { kind, name, ...(live && { uid: live.metadata.uid }), ...state };
  });
  return { hash, states: await Promise.all(states) };
}

/** One workload that is about to be rolled. */
interface Gathered {
  readonly uid: string;
  readonly annotations: Map<string, string>;
  readonly sent: Promise<void>;
}

/**
 * Rolls workloads.
 *
 * Guarantee: annotations of one workload that are requested within a second are one patch, and so one rollout.
 */
class Rollouts {
  readonly #gathered = new Map<string, Gathered>();

  constructor(
    readonly cluster: Access,
    readonly clock: Pick<Clock, 'after'>,
  ) {}

  async roll(request: RolloutRequest, options: PerformOptions): Promise<void> {
    const results = await Promise.allSettled(request.workloads.map((one) => this.#join(one, request, options)));
    const failed = results.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** Adds an annotation to the next patch of a workload. */
  #join(
    { kind, name, uid }: RolloutRequest['workloads'][number],
    { namespace, annotation, hash }: RolloutRequest,
    options: PerformOptions,
  ): Promise<void> {
    const key = `${kind} ${namespace}/${name} ${uid}`;
    const before = this.#gathered.get(key);
    if (before) {
      before.annotations.set(annotation, hash);
      return before.sent;
    }
    const annotations = new Map([[annotation, hash]]);
    const send = async () => {
      await sleep(this.clock as Clock, gathering, options.signal);
      this.#gathered.delete(key);
      await this.#patch({ kind, namespace, name, uid }, annotations, options);
    };
    const sent = send().finally(() => this.#gathered.delete(key));
    this.#gathered.set(key, { uid, annotations, sent });
    return sent;
  }

  async #patch(
    at: { readonly kind: WorkloadRef['kind']; readonly namespace: string; readonly name: string; readonly uid: string },
    annotations: ReadonlyMap<string, string>,
    { signal, mayLeave }: PerformOptions,
  ): Promise<void> {
    signal.throwIfAborted();
    const kind = kinds[at.kind];
    try {
      const live = (await this.cluster.read(kind, at, { signal })) as LiveWorkload | undefined;
      if (live?.metadata.uid !== at.uid)
        throw new CallError('terminal', `${at.kind} ${at.name} was replaced meanwhile`);
      await this.cluster.patch(kind, at, patchOf(live, annotations), { manager, signal, mayLeave });
    } catch (error) {
      throw callErrorOf(error);
    }
  }
}

/** The UID is tested by the server too. The version is tested only where a map of annotations must be created. */
function patchOf({ metadata, spec }: LiveWorkload, annotations: ReadonlyMap<string, string>): PatchOperation[] {
  const { uid, resourceVersion } = metadata;
  const test: PatchOperation = { op: 'test', path: '/metadata/uid', value: uid };
  const { metadata: template } = spec.template;
  if (template?.annotations)
    return [
      test,
      ...[...annotations].map(([name, value]): PatchOperation => {
        return { op: 'add', path: `/spec/template/metadata/annotations/${pointerToken(name)}`, value };
      }),
    ];
  const version: PatchOperation = { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion };
  const whole = Object.fromEntries(annotations);
  if (template) return [test, version, { op: 'add', path: '/spec/template/metadata/annotations', value: whole }];
  return [test, version, { op: 'add', path: '/spec/template/metadata', value: { annotations: whole } }];
}

/** A refusal by a policy or a missing permission stays one until somebody changes it. */
function callErrorOf(error: unknown): unknown {
  if (error instanceof CallError) return error;
  if (isApiError(error, 'Forbidden')) return new CallError('unauthorized', messageOf(error));
  if (isApiError(error, 'Invalid') || isApiError(error, 'Conflict'))
    return new CallError('retryable', messageOf(error), { mayHaveEffect: false });
  return error;
}
