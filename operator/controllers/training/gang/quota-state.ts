import type { TrainingJobResource } from '../../../../imports/index.js';
import { numericQuantity, trainingObjectNames } from '../../../../src/index.js';
import { Deployment, type LiveDeployment, type LiveResourceQuota, olderFirst } from '../../../runtime/index.js';
import type { Amounts } from '../ports/capacity.js';
import type { Quota } from '../room/quotas.js';
import type { QuotaState } from './quota.js';

/** What is read of a ResourceQuota. */
export function quotaOf({ metadata, spec, status }: LiveResourceQuota): Quota {
  const { scopes = [], scopeSelector } = spec ?? {};
  const selected = scopeSelector?.matchExpressions ?? [];
  return {
    ...{ name: metadata.name, hard: readable(status?.hard), used: readable(status?.used) },
    scopes: [
      ...scopes.map((name) => ({ name, operator: 'Exists', values: [] })),
      ...selected.map(({ scopeName: name, operator, values = [] }) => ({ name, operator, values })),
    ],
  };
}

function readable(quantities: Readonly<Record<string, string>> = {}): Amounts {
  const amounts = Object.entries(quantities).flatMap(([name, text]) => {
    try {
      return [[name, numericQuantity(text)] as const];
    } catch {
      return []; // of a resource that no worker has
    }
  });
  return Object.fromEntries(amounts);
}

/** A TrainingJob of the namespace. */
export interface Sibling {
  readonly name: string;
  /** RFC 3339. */
  readonly creationTimestamp: string;
  /** Whether it waits for Pods, or for their start. */
  readonly isWaiting: boolean;
}

const waitingPhases: ReadonlySet<string> = new Set(['Queued', 'Starting', 'Recovering']);

/** What is read of a TrainingJob of the namespace. */
export function siblingOf({ metadata, status }: TrainingJobResource): Sibling {
  const isWaiting = metadata.deletionTimestamp === undefined && waitingPhases.has(status?.phase ?? 'Queued');
  return { name: metadata.name, creationTimestamp: metadata.creationTimestamp ?? '', isWaiting };
}

interface Quoted {
  readonly resource: Pick<TrainingJobResource, 'metadata'>;
  readonly owned: { readonly of: (kind: typeof Deployment) => readonly LiveDeployment[] };
  readonly reads: { readonly quotas?: readonly Quota[]; readonly siblings?: readonly Sibling[] };
  /** Why the last reconcile left objects unchanged. @default - it did not */
  readonly blocker?: string | undefined;
}

const exceeded = 'exceeded quota: ';

/** What a job has under the ResourceQuotas of its namespace. */
export function quotaStateOf({ resource: { metadata }, owned, reads, blocker = '' }: Quoted): QuotaState {
  const { coordinator } = trainingObjectNames(metadata.name);
  const { status } = owned.of(Deployment).find((one) => one.metadata.name === coordinator) ?? {};
  const isFailure = ({ type, message = '' }: { readonly type: string; readonly message?: string }) =>
    type === 'ReplicaFailure' && message.includes(exceeded);
  const own = { name: metadata.name, creationTimestamp: metadata.creationTimestamp ?? '' };
  return {
    quotas: reads.quotas ?? [],
    hasCoordinator: (status?.replicas ?? 0) > 0,
    isRefused: blocker.includes(exceeded) || (status?.conditions?.some(isFailure) ?? false),
    hasElder: (reads.siblings ?? []).some((one) => one.isWaiting && olderFirst(one, own) < 0),
  };
}
