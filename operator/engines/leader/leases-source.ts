import {
  type ElectRequest,
  type LeaseAnswer,
  type LeaseQuestion,
  type LeaseRelease,
  leaderLeases,
  releaseAnnotation,
} from '../../controllers/leader/ports/leases.js';
import { isApiError, messageOf } from '../../runtime/kubernetes/errors.js';
import { isRecord, pointerToken } from '../../runtime/kubernetes/json.js';
import { Lease } from '../../runtime/kubernetes/kinds.js';
import { microTime } from '../../runtime/kubernetes/timestamp.js';
import type { Clock } from '../../runtime/ports/clock.js';
import { type Cluster, overVersion, type PatchOperation } from '../../runtime/ports/cluster.js';
import { CallError } from '../../runtime/ports/external-call.js';
import { type PerformOptions, type Provided, provided } from '../../runtime/ports/external-port.js';
import type { LeaseObserver, LiveLease } from './lease-observer.js';

/** The field manager of holders and terms. */
const manager = 'reconstruct-leader-leases';

interface LeaseAccess {
  readonly cluster: Pick<Cluster, 'read' | 'patch'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly observer: LeaseObserver;
}

/** Reads the Leases of elections, and names leaders. */
export function leasesFrom(access: LeaseAccess): Provided {
  const { cluster, observer } = access;
  return provided(
    leaderLeases,
    async (question: LeaseQuestion, { signal }): Promise<LeaseAnswer> => {
      signal.throwIfAborted();
      observer.follow(question.namespace);
      const live = await cluster.read(Lease, question, { signal });
      return live ? answerOf(live, observer) : { state: 'absent' };
    },
    {
      perform: (request, options) => elect(request, { ...access, ...options }),
      announces: (announce, options) => observer.announceTo(announce, options),
      concurrency: 16,
      callsPerSecond: 100,
    },
  );
}

function answerOf(lease: LiveLease, observer: LeaseObserver): LeaseAnswer {
  const since = observer.note(lease);
  const { metadata, spec = {} } = lease;
  const { uid } = metadata;
  const { holderIdentity: holder = '', leaseTransitions: term = 0, renewTime = '' } = spec;
  if (holder === '') {
    const release = releaseIn(metadata.annotations?.[releaseAnnotation]);
    const version = JSON.stringify(['released', uid, term]);
    return { state: 'released', uid, term, version, ...(release && { release }) };
  }
  const lasting = { uid, term, holder };
  if (since === undefined) return { state: 'held', ...lasting, version: JSON.stringify(['held', uid, term, holder]) };
  return { state: 'expired', since, ...lasting, version: JSON.stringify(['expired', uid, term, holder, renewTime]) };
}

/** What the last launcher wrote. A person can write it too, so its form is checked. */
function releaseIn(text: string | undefined): LeaseRelease | undefined {
  try {
    const release: unknown = JSON.parse(text ?? '');
    const isWhole = isRecord(release) && isRecord(release['by']) && typeof release['term'] === 'number';
    return isWhole ? (release as unknown as LeaseRelease) : undefined;
  } catch {
    return undefined;
  }
}

async function elect(
  { namespace, name, uid, version, term, holder, duration }: ElectRequest,
  { cluster, clock, observer, signal, mayLeave }: LeaseAccess & PerformOptions,
): Promise<void> {
  signal.throwIfAborted();
  const live = (await cluster.read(Lease, { namespace, name }, { signal })) as LiveLease | undefined;
  const { holderIdentity = '', leaseTransitions = 0 } = live?.spec ?? {};
  if (live?.metadata.uid === uid && leaseTransitions === term && holderIdentity === holder) return;
  const answer = live && answerOf(live, observer);
  if (!live || !answer || answer.state === 'absent' || answer.version !== version)
    throw new CallError('retryable', `Lease ${name} has changed meanwhile`, { mayHaveEffect: false });
  if (term <= answer.term) throw new CallError('terminal', `term ${term} must be more than ${answer.term}`);
  const time = microTime(clock.now());
  const spec = {
    ...(holder !== '' && { holderIdentity: holder, acquireTime: time }),
    ...{ renewTime: time, leaseDurationSeconds: Math.max(1, Math.round(duration / 1_000)), leaseTransitions: term },
  };
  const path = `/metadata/annotations/${pointerToken(releaseAnnotation)}`;
  const hasRelease = live.metadata.annotations?.[releaseAnnotation] !== undefined;
  const changes: PatchOperation[] = [
    overVersion(live),
    { op: 'add', path: '/spec', value: spec },
    ...(hasRelease ? [{ op: 'remove' as const, path }] : []),
  ];
  try {
    observer.note(await cluster.patch(Lease, { namespace, name }, changes, { manager, signal, mayLeave }));
  } catch (error) {
    throw callErrorOf(error);
  }
}

function callErrorOf(error: unknown): unknown {
  if (isApiError(error, 'Forbidden')) return new CallError('unauthorized', messageOf(error));
  if (isApiError(error, 'Conflict')) return new CallError('retryable', messageOf(error), { mayHaveEffect: false });
  return error;
}
