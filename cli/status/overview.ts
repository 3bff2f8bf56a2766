import { conditionOf } from '../../operator/runtime/controller/conditions.js';
import type { CustomResource } from '../../operator/runtime/controller/custom-resource.js';
import { keyOf } from '../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import type { KnownKind } from './known-kinds.js';
import { listedIfAllowed } from './listed-resources.js';
import { type Problem, problemsOf, type ReportingResource } from './problems.js';
import { ageOf, oneLine, problemLines, sections, tableLines } from './report-lines.js';
import { readyOf } from './status-report.js';

/** A resource in a list. */
export interface ListedResource {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** The status, reason and message of the condition `Ready`. Undefined without one. */
  readonly ready?: string;
  readonly reason?: string;
  readonly message?: string;
  /** RFC 3339. */
  readonly created?: string;
  /** The worst first. */
  readonly problems: readonly Problem[];
}

/** The resources of all kinds, as `--output=json` prints them. */
export interface Overview {
  /** Those that are not ready first, the worst first. */
  readonly resources: readonly ListedResource[];
  /** Why some kinds are not shown. */
  readonly notes: readonly string[];
}

interface Around {
  readonly cluster: Cluster;
  /** Undefined for all namespaces. Resources without a namespace are always shown. */
  readonly namespace: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Characters of a message in the table. */
const shownMessage = 80;
/** Problems with their actions below the table. */
const shownProblems = 5;

/** The resources of some kinds. A kind that the user may not list is left out with a note. */
export async function overviewOf(kinds: readonly KnownKind[], { cluster, namespace, now }: Around): Promise<Overview> {
  const notes: string[] = [];
  const found = kinds.map(async ({ kind, vocabulary }) => {
    const place = { namespace: kind.namespaced ? namespace : undefined, notes };
    const resources = await listedIfAllowed<CustomResource>(cluster, kind, place);
    return resources.map((resource) =>
      listed(kind.kind, resource, problemsOf(resource as ReportingResource, now, vocabulary)),
    );
  });
  const resources = (await Promise.all(found)).flat();
  return { resources: resources.toSorted(byUrgency), notes: notes.toSorted() };
}

function listed(kind: string, resource: CustomResource, problems: readonly Problem[]): ListedResource {
  const { namespace, name, creationTimestamp: created } = resource.metadata;
  const reporting = resource as ReportingResource;
  const { reason, message } = conditionOf(reporting, 'Ready') ?? {};
  const optional = { namespace, ready: readyOf(reporting), reason, message, created };
  const known = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  return { kind, name, ...known, problems };
}

/** Not ready before unknown before ready. Of those, what has a problem comes first. */
function byUrgency(a: ListedResource, b: ListedResource): number {
  const title = ({ kind, ...at }: ListedResource) => `${kind} ${keyOf(at)}`;
  return urgencyOf(a) - urgencyOf(b) || (title(a) < title(b) ? -1 : 1);
}

function urgencyOf(resource: ListedResource): number {
  const { ready } = resource;
  const state = ready === 'False' ? 0 : ready === 'True' ? 4 : 2;
  return isWrong(resource) ? state : state + 1;
}

/** Whether a person should act. */
export function isWrong({ problems }: { readonly problems: readonly Problem[] }): boolean {
  return problems.some(({ isProgress }) => !isProgress);
}

/** The list as a table, and below it the problems of the worst resources with what to do. */
export function overviewLines(
  { resources, notes }: Overview,
  { namespace, now }: Pick<Around, 'namespace' | 'now'>,
): readonly string[] {
  const rows = resources.map(({ kind, ready, reason, message = '', created, ...at }) => ({
    ...{
      KIND: kind,
      NAME: namespace === undefined ? keyOf(at) : at.name,
      READY: ready,
      REASON: reason,
      AGE: ageOf(created, now),
    },
    MESSAGE: ready === 'True' ? undefined : oneLine(message).slice(0, shownMessage),
  }));
  const problems = resources.flatMap(({ kind, problems, ...at }) =>
    problems.filter(({ isProgress }) => !isProgress).map((problem) => ({ problem, title: `${kind} ${keyOf(at)}: ` })),
  );
  const shown = problems.slice(0, shownProblems);
  const more = problems.length - shown.length;
  const where =
    namespace === undefined ? 'in the cluster' : `in namespace ${namespace}; to show all, use --all-namespaces`;
  return sections([
    rows.length === 0 ? [oneLine(`No resources ${where}`)] : tableLines({ rows }),
    problems.length === 0
      ? rows.length === 0
        ? []
        : ['No problems.']
      : ['Problems:', ...shown.flatMap(({ problem, title }) => problemLines(problem, { title, indent: '  ' }))],
    more > 0 ? [`and ${more} more; to show them, run reconstruct status KIND NAME`] : [],
    notes.map(oneLine),
  ]);
}
