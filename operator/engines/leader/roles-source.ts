import {
  leaderLabel,
  leaderRoles,
  type PodAssignment,
  type PodRole,
  type RolesQuestion,
  type RolesRequest,
  roleAnnotation,
  termAnnotation,
} from '../../controllers/leader/ports/roles.js';
import { isApiError, messageOf } from '../../runtime/kubernetes/errors.js';
import { pointerToken } from '../../runtime/kubernetes/json.js';
import { Pod } from '../../runtime/kubernetes/kinds.js';
import type { LiveObject } from '../../runtime/kubernetes/object.js';
import type { Cluster, PatchOperation } from '../../runtime/ports/cluster.js';
import { CallError } from '../../runtime/ports/external-call.js';
import { type PerformOptions, type Provided, provided } from '../../runtime/ports/external-port.js';

/** The field manager of roles. */
const manager = 'reconstruct-leader-roles';

type Access = Pick<Cluster, 'read' | 'patch' | 'remove'>;

/** Reads and writes the roles of Pods that belong to others. */
export function rolesFrom(cluster: Access): Provided {
  return provided(leaderRoles, (question, { signal }) => rolesOf(question, { cluster, signal }), {
    perform: (request, options) => performed(request, { ...options, cluster }),
    concurrency: 16,
    callsPerSecond: 100,
  });
}

async function rolesOf(
  { namespace, pods }: RolesQuestion,
  { cluster, signal }: { readonly cluster: Access; readonly signal: AbortSignal },
) {
  signal.throwIfAborted();
  const found = await Promise.all(
    pods.map(async ({ name, uid }) => {
      const live = await cluster.read(Pod, { namespace, name }, { signal });
      return live?.metadata.uid === uid ? [[name, roleOf(live)] as const] : [];
    }),
  );
  return { pods: Object.fromEntries(found.flat()) };
}

function roleOf({ metadata }: LiveObject): PodRole {
  const { uid, annotations = {}, labels = {}, deletionTimestamp } = metadata;
  const [role, term] = [annotations[roleAnnotation], annotations[termAnnotation]];
  return {
    ...{ uid, isLabelled: labels[leaderLabel] === 'true' },
    ...(role !== undefined && { role }),
    ...(term !== undefined && { term }),
    ...(deletionTimestamp !== undefined && { isEnding: true }),
  };
}

interface Performing extends PerformOptions {
  readonly cluster: Access;
}

/** Tries all Pods, so that one that fails does not keep its role from the others. */
async function performed(request: RolesRequest, options: Performing): Promise<void> {
  options.signal.throwIfAborted();
  const { namespace } = request;
  const sent =
    request.act === 'delete'
      ? request.pods.map((pod) => removed(namespace, pod, options))
      : request.pods.map((pod) => assigned(namespace, pod, options));
  const results = await Promise.allSettled(sent);
  const failed = results.find((one) => one.status === 'rejected');
  if (failed) throw callErrorOf(failed.reason);
}

/** A Pod that is gone or was replaced needs nothing: the controller sees the Pods that there are. */
async function assigned(
  namespace: string,
  pod: PodAssignment,
  { cluster, signal, mayLeave }: Performing,
): Promise<void> {
  const name = { namespace, name: pod.name };
  const live = await cluster.read(Pod, name, { signal });
  if (live?.metadata.uid !== pod.uid) return;
  const changes = [
    ...changesOf(live, 'annotations', { [roleAnnotation]: pod.role, [termAnnotation]: pod.term }),
    ...changesOf(live, 'labels', { [leaderLabel]: pod.isLabelled === undefined ? undefined : labelOf(pod.isLabelled) }),
  ];
  if (changes.length === 0) return;
  const { uid, resourceVersion } = live.metadata;
  // A map that is created here must not replace one that somebody else has created meanwhile.
  const isNew = changes.some(({ path }) => !path.slice('/metadata/'.length).includes('/'));
  const tests: PatchOperation[] = [
    { op: 'test', path: '/metadata/uid', value: uid },
    ...(isNew ? [{ op: 'test' as const, path: '/metadata/resourceVersion', value: resourceVersion }] : []),
  ];
  await cluster.patch(Pod, name, [...tests, ...changes], { manager, signal, mayLeave });
}

const labelOf = (isLabelled: boolean) => (isLabelled ? 'true' : null);

/** @param values null removes, undefined leaves it as it is */
function changesOf(
  { metadata }: LiveObject,
  field: 'annotations' | 'labels',
  values: Readonly<Record<string, string | null | undefined>>,
): PatchOperation[] {
  const before = metadata[field];
  const changed = Object.entries(values).filter(
    ([key, value]) => value !== undefined && (value ?? undefined) !== before?.[key],
  );
  const added = changed.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  if (!before)
    return added.length === 0 ? [] : [{ op: 'add', path: `/metadata/${field}`, value: Object.fromEntries(added) }];
  return changed.map(([key, value]): PatchOperation => {
    const path = `/metadata/${field}/${pointerToken(key)}`;
    return typeof value === 'string' ? { op: 'add', path, value } : { op: 'remove', path };
  });
}

async function removed(
  namespace: string,
  { name, uid }: { readonly name: string; readonly uid: string },
  { cluster, signal, mayLeave }: Performing,
): Promise<void> {
  try {
    await cluster.remove(Pod, { namespace, name }, { uid }, { signal, mayLeave });
  } catch (error) {
    // Another Pod has the name: the one of the request is gone.
    if (!isApiError(error, 'Conflict')) throw error;
  }
}

function callErrorOf(error: unknown): unknown {
  if (isApiError(error, 'Forbidden')) return new CallError('unauthorized', messageOf(error));
  if (isApiError(error, 'Invalid') || isApiError(error, 'Conflict'))
    return new CallError('retryable', messageOf(error), { mayHaveEffect: false });
  return error;
}
