import type { WatchEvent } from '../../../operator/runtime/ports/cluster.js';
import type { LivePod } from '../../e2e/cluster/kinds.js';

/** Which part of a job a Pod is. */
export interface SparkPlace {
  readonly job: string;
  readonly role: 'driver' | 'executor';
}

/** The life of a driver or an executor, in milliseconds of one clock. */
export interface SparkPod extends SparkPlace {
  readonly name: string;
  readonly uid: string;
  readonly createdAt: number;
  readonly node: string | undefined;
  /** When its containers ran for the first time. */
  readonly runsFrom: number | undefined;
  /** When it had ended, or was gone. */
  readonly endsAt: number | undefined;
  readonly isGone: boolean;
}

type Change = Extract<WatchEvent, { type: 'ADDED' | 'MODIFIED' | 'DELETED' }>;

/** What a watch tells about the Pods of Spark jobs. */
export class SparkPods {
  /** Called for each Pod that appears. */
  onNew: (pod: SparkPod) => void = () => {};
  readonly #pods = new Map<string, SparkPod>();

  /** @param placeOf which part of a job the labels of a Pod say that it is */
  constructor(readonly placeOf: (labels: Readonly<Record<string, string>>) => SparkPlace | undefined) {}

  /** @param now milliseconds of the clock */
  saw({ type, object }: Pick<Change, 'type' | 'object'>, now: number): void {
    const { name, uid, labels = {} } = object.metadata;
    const known = this.#pods.get(uid);
    const place = known ?? this.placeOf(labels);
    if (!place) return;
    const { spec, status } = object as LivePod;
    const hasEnded = type === 'DELETED' || status?.phase === 'Succeeded' || status?.phase === 'Failed';
    const { job, role } = place;
    const pod = {
      ...{ job, role, name, uid, createdAt: known?.createdAt ?? now },
      node: known?.node ?? spec?.nodeName,
      runsFrom: known?.runsFrom ?? (status?.phase === 'Running' ? now : undefined),
      endsAt: known?.endsAt ?? (hasEnded ? now : undefined),
      isGone: type === 'DELETED',
    };
    this.#pods.set(uid, pod);
    if (!known) this.onNew(pod);
  }

  /** Those of a job, the oldest first. */
  of(job: string, role: SparkPlace['role']): readonly SparkPod[] {
    return [...this.#pods.values()].filter((pod) => pod.job === job && pod.role === role);
  }

  /** When the first executor of a job ran. */
  firstExecutor(job: string): number | undefined {
    const times = this.of(job, 'executor').flatMap(({ runsFrom }) => runsFrom ?? []);
    return times.length === 0 ? undefined : Math.min(...times);
  }
}

/** How many Pods ran at the same time, at most. */
export function mostAtOnce(pods: readonly Pick<SparkPod, 'runsFrom' | 'endsAt'>[]): number {
  const ran = pods.flatMap(({ runsFrom, endsAt = Number.POSITIVE_INFINITY }) =>
    runsFrom === undefined ? [] : [{ runsFrom, endsAt }],
  );
  const at = (time: number) => ran.filter(({ runsFrom, endsAt }) => runsFrom <= time && time < endsAt).length;
  return Math.max(0, ...ran.map(({ runsFrom }) => at(runsFrom)));
}
