import { lengthOf } from '../../operator/runtime/kubernetes/relative-time.js';
import { actionFor, alarmsIn, plainAction, type Vocabulary } from '../reasons/vocabulary.js';

/** What the resources of all kinds have in common, as far as problems follow from it. */
export interface ReportingResource {
  readonly metadata: { readonly generation?: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly renewalTime?: string;
    readonly nextRotation?: string;
    readonly conditions?: readonly ReportedCondition[];
  };
}

/** A condition as a resource of any kind has it. */
export interface ReportedCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  /** RFC 3339. */
  readonly lastTransitionTime?: string;
}

/** What needs attention. */
export interface Problem {
  /** Whether it ends by itself, as far as the operator knows. */
  readonly isProgress: boolean;
  /** The type of the condition, or what the command has found itself. */
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  /** What a person can do. @default - nothing is known, or waiting is all */
  readonly action?: string;
}

/** Conditions that sum up the others, or that generic tools read. */
const summaries: ReadonlySet<string> = new Set(['Ready', 'Reconciling', 'Stalled']);

/** What a kind can report of which no controller is known: what the runtime reports. */
const runtimeAlone: Vocabulary = { conditions: {}, rejections: {} };

/** Milliseconds for which a running operator may be behind. */
const patience = 5 * 60_000;

/**
 * What a resource reports about itself, and what a stopped operator cannot report: a spec that nothing has observed, and
 * times that are over. The worst comes first: the condition that `Ready` names.
 * @param now milliseconds since 1970
 * @param vocabulary what the controllers of the kind declare. Of a kind without known controllers, a condition that is
 * False counts only if the resource is not ready, because it may be good news
 */
export function problemsOf(resource: ReportingResource, now: number, vocabulary?: Vocabulary): readonly Problem[] {
  const conditions = resource.status?.conditions ?? [];
  const words = vocabulary ?? runtimeAlone;
  const alarms = alarmsIn(words);
  const ready = conditions.find(({ type }) => type === 'Ready');
  const isRead = ({ type }: ReportedCondition) =>
    vocabulary !== undefined || alarms.has(type) || isTelling(type, ready?.status);
  const own = conditions.filter(isRead).flatMap((condition) => problemIn(condition, alarms));
  const all = [...(ready ? summaryIn(ready, own) : []), ...own];
  const isWorst = ({ isProgress, reason }: Problem) => (isProgress || reason !== ready?.reason ? 1 : 0);
  const reported = all.toSorted((a, b) => isWorst(a) - isWorst(b));
  const silent = silenceOf(resource, { now, isReported: reported.length > 0, isKnown: vocabulary !== undefined });
  return [...(silent ? [silent] : []), ...reported.map((problem) => withAction(problem, words))];
}

/** Whether a condition of an unknown kind is bad news if it is False. */
function isTelling(type: string, ready: string | undefined): boolean {
  return ready === undefined ? type === 'Available' : ready !== 'True';
}

function problemIn(condition: ReportedCondition, alarms: ReadonlySet<string>): readonly Problem[] {
  const { type, status } = condition;
  if (summaries.has(type)) return [];
  const isBad = alarms.has(type) ? status === 'True' : status === 'False';
  return isBad || status === 'Unknown' ? [problemFrom(condition, !isBad)] : [];
}

/** What only `Ready` reports: a write that the API server rejects, or reconciles that fail. */
function summaryIn(ready: ReportedCondition, others: readonly Problem[]): readonly Problem[] {
  if (ready.status === 'True' || others.some(({ reason }) => reason === ready.reason)) return [];
  return [problemFrom(ready, ready.status !== 'False')];
}

function problemFrom({ type, reason = '', message = '' }: ReportedCondition, isProgress: boolean): Problem {
  return { isProgress, type, reason, message };
}

function withAction(problem: Problem, vocabulary: Vocabulary): Problem {
  const action = actionFor(problem, vocabulary);
  return action === undefined || /^None\b/.test(action) ? problem : { ...problem, action: plainAction(action) };
}

interface Silence {
  readonly now: number;
  /** Whether any condition reports something. */
  readonly isReported: boolean;
  /** Whether a controller of the kind is known, so that the fields of the status mean what they mean here. */
  readonly isKnown: boolean;
}

function silenceOf(
  { metadata, status }: ReportingResource,
  { now, isReported, isKnown }: Silence,
): Problem | undefined {
  const advice = 'check that the operator runs';
  const { observedGeneration, renewalTime, nextRotation, conditions = [] } = status ?? {};
  const isPaused = conditions.some(({ type, status: is }) => type === 'Paused' && is === 'True');
  if (!isPaused && observedGeneration !== metadata.generation && (isKnown || observedGeneration !== undefined)) {
    const message = `The operator has not observed the latest spec; ${advice}`;
    return { isProgress: false, type: 'Operator', reason: 'NotObserved', message };
  }
  const due = isKnown && !isReported ? (renewalTime ?? nextRotation) : undefined;
  if (due === undefined || now - Date.parse(due) < patience) return undefined;
  const what = renewalTime === undefined ? 'rotation' : 'renewal';
  const message = `The ${what} has been due for ${lengthOf(now - Date.parse(due))}, and no condition reports why; ${advice}`;
  return { isProgress: false, type: 'Operator', reason: 'Overdue', message };
}
