import type { EtcdQuestion } from '../../controllers/etcd/ports/cluster.js';
import { messageOf } from '../../runtime/kubernetes/errors.js';
import { CallError } from '../../runtime/ports/external-call.js';
import { type Answered, ask, type Gateway } from './gateway.js';
import { hexadecimal } from './member-ids.js';

/** What the member at an endpoint reports. */
export interface EndpointStatus {
  readonly endpoint: string;
  readonly id: string;
  readonly clusterId: string;
  readonly version: string;
  readonly isLearner: boolean;
  /** Absent while it follows no leader. */
  readonly leader?: string;
  readonly index: number;
  readonly dbSize: number;
  readonly dbSizeInUse: number;
  readonly alarms: readonly ('NOSPACE' | 'CORRUPT')[];
}

/** All endpoints: those that answered, and why the rest did not. */
export interface Statuses {
  readonly answered: readonly EndpointStatus[];
  readonly silent: Readonly<Record<string, string>>;
}

/**
 * Asks every endpoint for its status, which a member answers by itself within milliseconds, also a learner or a member without
 * a leader.
 * @throws {CallError} `unauthorized`, if no member accepts the certificate of the operator, else `unreachable`, if none answers
 */
export async function statusesOf(gateway: Gateway, { endpoints }: Pick<EtcdQuestion, 'endpoints'>): Promise<Statuses> {
  const asked = await Promise.all(
    endpoints.map(async (endpoint) => {
      try {
        return statusIn(endpoint, await ask(gateway, { endpoint, method: 'maintenance/status' }));
      } catch (error) {
        gateway.signal.throwIfAborted();
        return { endpoint, error };
      }
    }),
  );
  const failed = asked.flatMap((one) => ('error' in one ? [one] : []));
  const answered = asked.flatMap((one) => ('error' in one ? [] : [one]));
  if (answered.length === 0) throw noneOf(failed.map(({ error }) => error));
  const silent = Object.fromEntries(failed.map(({ endpoint, error }) => [endpoint, messageOf(error)]));
  return { answered, silent };
}

function noneOf(errors: readonly unknown[]): CallError {
  const isRefused = errors.some((error) => error instanceof CallError && error.kind === 'unauthorized');
  const kind = isRefused ? 'unauthorized' : 'unreachable';
  return new CallError(kind, `no member answers: ${errors.map(messageOf).join('; ')}`, { mayHaveEffect: false });
}

/** Fields with the value zero are absent in the JSON of the gateway, and whole numbers of 64 bits are texts. */
function statusIn(endpoint: string, answer: Answered): EndpointStatus {
  const header = (answer['header'] ?? {}) as Answered;
  const [id, clusterId] = [hexadecimal(header['member_id']), hexadecimal(header['cluster_id'])];
  if (id === undefined || clusterId === undefined)
    throw new CallError('unreachable', `${new URL(endpoint).host} does not answer as etcd does`);
  const leader = hexadecimal(answer['leader']);
  return {
    ...{ endpoint, id, clusterId },
    version: String(answer['version'] ?? '').slice(0, 32),
    isLearner: answer['isLearner'] === true,
    ...(leader !== undefined && leader !== '0' && { leader }),
    index: numberIn(answer['raftIndex']),
    dbSize: numberIn(answer['dbSize']),
    dbSizeInUse: numberIn(answer['dbSizeInUse']),
    alarms: alarmsIn(answer['errors']),
  };
}

function numberIn(value: unknown): number {
  const number = Number(value ?? 0);
  return Number.isSafeInteger(number) && number >= 0 ? number : 0;
}

/** Errors are alarms of all members, such as `memberID:123 alarm:NOSPACE `, and `etcdserver: no leader`. */
function alarmsIn(errors: unknown): readonly ('NOSPACE' | 'CORRUPT')[] {
  const texts = Array.isArray(errors) ? errors.map(String) : [];
  return (['CORRUPT', 'NOSPACE'] as const).filter((alarm) => texts.some((text) => text.includes(`alarm:${alarm}`)));
}

/**
 * A member that has just read through the quorum. It has then applied all changes that were made before. Its leader is asked
 * first, and a learner never, because it does not answer such a question.
 * @returns undefined if there is none
 */
export async function memberWithQuorum(
  gateway: Gateway,
  { answered }: Pick<Statuses, 'answered'>,
): Promise<EndpointStatus | undefined> {
  const followers = answered.filter(({ leader, isLearner }) => leader !== undefined && !isLearner);
  const leading = ({ id, leader }: EndpointStatus) => (id === leader ? 0 : 1);
  const candidates = followers.toSorted((one, other) => leading(one) - leading(other));
  // A leader that is cut off from the others knows it only after an election timeout, and another member has the next one.
  for (const candidate of candidates.slice(0, 2)) {
    try {
      await ask(gateway, { endpoint: candidate.endpoint, method: 'kv/range', body: anyKey });
      return candidate;
    } catch (error) {
      gateway.signal.throwIfAborted();
      if (!(error instanceof CallError)) throw error;
    }
  }
  return undefined;
}

/** The number of keys with the name `\0`, through the quorum. */
const anyKey = { key: 'AA==', count_only: true };
