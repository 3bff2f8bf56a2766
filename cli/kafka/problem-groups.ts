import { isReady } from '../../operator/pods/is-ready.js';
import type { LivePod } from '../../operator/runtime/kubernetes/kinds.js';
import { printable } from '../../operator/telemetry/printable-text.js';
import { type Problem, problemsOf, type ReportingResource } from '../status/problems.js';
import { adviceFor } from './advice.js';
import type { FoundKafka } from './resources.js';

/** The same problem of several resources of a kind, with the same message. A cluster whose brokers are down has it a thousand times. */
export interface ProblemGroup extends Problem {
  readonly kind: string;
  /** Sorted. */
  readonly names: readonly string[];
}

/** Names in a line. */
const shownNames = 5;

/** What is wrong or in progress: the KafkaCluster first, then what depends on it. @param now milliseconds since 1970 */
export function problemGroups({ kafka, pods, topics, users }: FoundKafka, now: number): readonly ProblemGroup[] {
  const kinds = [
    ['KafkaCluster', [kafka]],
    ['KafkaTopic', topics],
    ['KafkaUser', users],
  ] as const;
  const [ofKafka = [], ...others] = kinds.map(([kind, resources]) => grouped(kind, resources, now));
  return [...ofKafka, ...restarting(pods), ...others.flat()];
}

/** Restarts of a node that is not ready, from which it is unlikely to start by itself. */
const manyRestarts = 2;

/** Nodes that start again and again. Between two failures, no condition of the KafkaCluster names them. */
function restarting(pods: readonly LivePod[]): readonly ProblemGroup[] {
  return pods
    .filter((pod) => restartsOf(pod) >= manyRestarts && !isReady(pod))
    .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
    .map((pod) => {
      const { name } = pod.metadata;
      const message = `It has restarted ${restartsOf(pod)} times and is not ready; find the cause with kubectl logs ${name} --previous`;
      return { kind: 'Pod', names: [name], type: 'Ready', reason: 'Restarting', message, isProgress: false };
    });
}

/** The restarts of the container that has restarted most. */
export function restartsOf({ status }: LivePod): number {
  return Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount = 0 }) => restartCount));
}

type Named = ReportingResource & { readonly metadata: { readonly name: string } };

function grouped(kind: string, resources: readonly Named[], now: number): readonly ProblemGroup[] {
  const groups = new Map<string, ProblemGroup>();
  for (const resource of resources.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))) {
    for (const problem of problemsOf(resource, now, { conditions: {}, rejections: {} })) {
      const key = `${problem.type} ${problem.reason} ${problem.message}`;
      const names = [...(groups.get(key)?.names ?? []), resource.metadata.name];
      groups.set(key, { ...(groups.get(key) ?? problem), kind, names });
    }
  }
  return [...groups.values()];
}

/** A group in two lines, or three if there is something to do. */
export function problemLines(group: ProblemGroup): readonly string[] {
  const { kind, names, type, reason, message } = group;
  const more = names.length > shownNames ? ` and ${names.length - shownNames} more` : '';
  const action = adviceFor(kind, group);
  // Kafka and the runtime of containers report some errors in several lines.
  const text = message.replace(/\s*[\r\n]+\s*/g, ' ').trim();
  const lines = [`  ${kind} ${names.slice(0, shownNames).join(', ')}${more}: ${type} ${reason}`, `    ${text}`];
  return [...lines, ...(action === undefined ? [] : [`    To do: ${action}`])].map(printable);
}
