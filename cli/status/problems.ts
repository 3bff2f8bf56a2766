import { lengthOf } from '../../operator/runtime/kubernetes/relative-time.js';

/** What the resources of all kinds have in common, as far as problems follow from it. */
export interface ReportingResource {
  readonly metadata: { readonly generation?: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly renewalTime?: string;
    readonly nextRotation?: string;
    readonly conditions?: readonly Condition[];
  };
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** What needs attention. */
export interface Problem {
  /** Whether it ends by itself, as far as the operator knows. */
  readonly isProgress: boolean;
  /** The type of the condition, or what the command has found itself. */
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

/** Conditions that sum up the others, or that generic tools read. */
const summaries: ReadonlySet<string> = new Set(['Ready', 'Reconciling', 'Stalled']);

/** Conditions that a resource has only while something blocks it. */
const blockers: ReadonlySet<string> = new Set([
  'Conflicted',
  'Blocked',
  'FieldsConflicted',
  'DeletionBlocked',
  'PruningHeld',
]);

/** Milliseconds for which a running operator may be behind. */
const patience = 5 * 60_000;

/**
 * What a resource reports about itself, and what a stopped operator cannot report: a spec that nothing has observed, and
 * times that are over.
 * @param now milliseconds since 1970
 */
export function problemsOf(resource: ReportingResource, now: number): readonly Problem[] {
  const conditions = resource.status?.conditions ?? [];
  const own = conditions.flatMap(problemIn);
  const reported = [...conditions.filter((one) => isRefusal(one, own)).map(badly), ...own];
  const silent = silenceOf(resource, now, reported.length > 0);
  return [...(silent ? [silent] : []), ...reported];
}

function problemIn({ type, status, reason, message }: Condition): readonly Problem[] {
  if (summaries.has(type)) return [];
  const isBad = blockers.has(type) ? status === 'True' : status === 'False';
  return isBad || status === 'Unknown' ? [{ isProgress: !isBad, type, reason, message }] : [];
}

/** A write that the API server rejects, and what else no other condition reports. */
function isRefusal({ type, status, reason }: Condition, others: readonly Problem[]): boolean {
  return type === 'Ready' && status === 'False' && !others.some((one) => one.reason === reason);
}

const badly = ({ type, reason, message }: Condition): Problem => ({ isProgress: false, type, reason, message });

function silenceOf({ metadata, status }: ReportingResource, now: number, isReported: boolean): Problem | undefined {
  const advice = 'check that the operator runs';
  if (status?.observedGeneration !== metadata.generation) {
    const message = `The operator has not observed the latest spec; ${advice}`;
    return { isProgress: false, type: 'Operator', reason: 'NotObserved', message };
  }
  if (isReported) return undefined;
  const { renewalTime, nextRotation } = status ?? {};
  const due = renewalTime ?? nextRotation;
  if (due === undefined || now - Date.parse(due) < patience) return undefined;
  const what = renewalTime === undefined ? 'rotation' : 'renewal';
  const message = `The ${what} has been due for ${lengthOf(now - Date.parse(due))}, and no condition reports why; ${advice}`;
  return { isProgress: false, type: 'Operator', reason: 'Overdue', message };
}
