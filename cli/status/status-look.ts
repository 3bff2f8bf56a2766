import type { CustomResourceDefinition } from '../../crds/index.js';
import { isApiError, messageOf } from '../../operator/runtime/kubernetes/errors.js';
import type { ObjectKind } from '../../operator/runtime/kubernetes/kinds.js';
import type { ObjectName } from '../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import type { Loaded } from '../controllers/loaded-controllers.js';
import { discoveredKinds, type Get } from './discovered-kinds.js';
import { type KnownKind, kindNamed, kindsShown } from './known-kinds.js';
import { listed } from './listed-resources.js';
import { isWrong, overviewLines, overviewOf } from './overview.js';
import { reportLines } from './report-lines.js';
import { statusReport } from './status-report.js';

/** What a user asks for. */
export interface AskedStatus {
  /** A name of a kind as for kubectl. @default - the kinds of all operators that are built on this package */
  readonly kind?: string;
  /** @default - all resources */
  readonly name?: string;
  /** Undefined for all namespaces. */
  readonly namespace: string | undefined;
}

/** Where the answer comes from. */
export interface StatusPlace {
  readonly loaded: Loaded;
  readonly cluster: Cluster;
  readonly get: Get;
}

/** The state at a time, for both outputs. */
export interface ShownStatus {
  readonly lines: readonly string[];
  readonly json: object;
  /** Whether a person should act. */
  readonly isWrong: boolean;
}

/** Looks at the cluster. @param now milliseconds since 1970 */
export type Look = (now: number) => Promise<ShownStatus>;

const definitionKind: ObjectKind = {
  ...{ group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' },
  ...{ plural: 'customresourcedefinitions', namespaced: false },
};
const operatorLabel = 'reconstruct.dev/operator';

/**
 * A function that looks at what a user asks for. The kinds are found once.
 * @throws {Error} if there is no such kind
 */
export async function lookAt({ kind, name, namespace }: AskedStatus, place: StatusPlace): Promise<Look> {
  const { cluster, loaded, get } = place;
  const named = kind === undefined ? undefined : await kindNamed(kind, loaded, get);
  if (named && name !== undefined) {
    const at: ObjectName = { ...(namespace !== undefined && { namespace }), name };
    return async (now) => {
      const report = await statusReport(named, at, { cluster, now });
      return { lines: reportLines(report, now), json: report, isWrong: isWrong(report) };
    };
  }
  const notes: string[] = [];
  const kinds = named ? [named] : await allKinds(place, notes);
  return async (now) => {
    const found = await overviewOf(kinds, { cluster, namespace, now });
    const overview = { ...found, notes: [...notes, ...found.notes] };
    const lines = overviewLines(overview, { namespace, now });
    return { lines, json: overview, isWrong: overview.resources.some(isWrong) };
  };
}

async function allKinds({ loaded, cluster, get }: StatusPlace, notes: string[]): Promise<readonly KnownKind[]> {
  const [served, labelled] = await Promise.all([discoveredKinds(get, notes), labelledDefinitions(cluster, notes)]);
  return kindsShown(served, labelled, loaded);
}

/** The CRDs of operators. Without permission to list them, only the category shows their kinds. */
async function labelledDefinitions(cluster: Cluster, notes: string[]): Promise<readonly CustomResourceDefinition[]> {
  try {
    return await listed<CustomResourceDefinition>(cluster, definitionKind, { labelSelector: operatorLabel });
  } catch (error) {
    if (!isApiError(error, 'Forbidden')) throw error;
    notes.push(`kinds of other operators are not shown, except those of --module: ${messageOf(error)}`);
    return [];
  }
}
