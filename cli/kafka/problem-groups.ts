import { printable } from '../../operator/telemetry/printable-text.js';
import { type Problem, problemsOf, type ReportingResource } from '../status/problems.js';
import { adviceFor } from './advice.js';
import type { FoundKafka } from './resources.js';

/** The same problem of several resources of a kind. A cluster whose brokers are down has it a thousand times. */
export interface ProblemGroup extends Problem {
  readonly kind: string;
  /** Sorted. */
  readonly names: readonly string[];
}

/** Names in a line. */
const shownNames = 5;

/** What is wrong or in progress: the KafkaCluster first, then what depends on it. @param now milliseconds since 1970 */
export function problemGroups({ kafka, topics, users }: FoundKafka, now: number): readonly ProblemGroup[] {
  const kinds = [
    ['KafkaCluster', [kafka]],
    ['KafkaTopic', topics],
    ['KafkaUser', users],
  ] as const;
  return kinds.flatMap(([kind, resources]) => grouped(kind, resources, now));
}

type Named = ReportingResource & { readonly metadata: { readonly name: string } };

function grouped(kind: string, resources: readonly Named[], now: number): readonly ProblemGroup[] {
  const groups = new Map<string, ProblemGroup>();
  for (const resource of resources.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))) {
    for (const problem of problemsOf(resource, now)) {
      const key = `${problem.type} ${problem.reason}`;
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
  const lines = [`  ${kind} ${names.slice(0, shownNames).join(', ')}${more}: ${type} ${reason}`, `    ${message}`];
  return [...lines, ...(action === undefined ? [] : [`    To do: ${action}`])].map(printable);
}
