import {
  type SparkAttemptRef,
  sparkAppLabel,
  sparkAppOf,
  sparkContainers,
  sparkRoleLabel,
  sparkVersionLabel,
} from '../../../../src/index.js';
import { exitMessage } from '../../../pods/exit-message.js';
import { podFailureOf } from '../../../pods/pod-failure.js';
import type { LivePod } from '../../../runtime/index.js';

/** A Pod with an executor. */
export interface Executor {
  readonly name: string;
  readonly uid: string;
  /** Whether a driver of this SparkJob created it. One of an earlier SparkJob of the name may still run. */
  readonly isOwn: boolean;
  /** The attempt whose driver created it. */
  readonly ref: SparkAttemptRef;
  readonly isEnding: boolean;
  readonly phase: string;
  /** Whether its process may run. Injected containers may run longer. */
  readonly mayRun: boolean;
  readonly isRunning: boolean;
  /** Whether the driver has seen its end. */
  readonly isInactive: boolean;
  /** Whether its container exceeded its memory limit. */
  readonly isOutOfMemory: boolean;
  /** Why it does not start, as a part of a sentence. Undefined if nothing is reported. */
  readonly trouble: string | undefined;
  /** How it has failed, as a part of a sentence. Undefined if it has not. */
  readonly failure: string | undefined;
  /** The release of Spark in it. */
  readonly version: string | undefined;
  readonly node: string | undefined;
}

/** The executors of SparkJobs of a name among Pods. @param key the UID of the SparkJob without dashes */
export function executorsAmong(pods: readonly LivePod[], key: string): readonly Executor[] {
  return pods.flatMap((pod) => {
    const { labels = {} } = pod.metadata;
    const app = sparkAppOf(labels[sparkAppLabel] ?? '');
    if (labels[sparkRoleLabel] !== 'executor' || !app) return [];
    return [{ ...executorOf(pod, { run: app.run, attempt: app.attempt }), isOwn: app.job === key }];
  });
}

function executorOf(pod: LivePod, ref: SparkAttemptRef): Omit<Executor, 'isOwn'> {
  const { metadata, spec, status } = pod;
  const { state } = status?.containerStatuses?.find(({ name }) => name === sparkContainers.executor) ?? {};
  const { terminated } = state ?? {};
  const phase = status?.phase ?? 'Pending';
  const isOver = terminated !== undefined || phase === 'Succeeded' || phase === 'Failed';
  const isEnding = metadata.deletionTimestamp !== undefined;
  return {
    ...{ name: metadata.name, uid: metadata.uid, ref, node: spec.nodeName },
    ...{ isEnding, phase, mayRun: !isOver, isRunning: !isOver && !isEnding && phase === 'Running' },
    isInactive: metadata.labels?.['spark-exec-inactive'] === 'true',
    isOutOfMemory: terminated?.reason === 'OOMKilled',
    trouble: phase === 'Pending' ? podFailureOf(pod, 'spec.executors.podTemplate') : undefined,
    failure:
      terminated && terminated.exitCode !== 0
        ? exitMessage({ exitCode: terminated.exitCode, output: terminated.message })
        : undefined,
    version: metadata.labels?.[sparkVersionLabel],
  };
}
