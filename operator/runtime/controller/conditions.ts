import { truncate } from '../kubernetes/truncate.js';

/** @see https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#typical-status-properties */
export type ConditionStatus = 'True' | 'False' | 'Unknown';

/** A condition in a resource's status. */
export interface Condition {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message: string;
  /** RFC 3339, whole seconds. Changes only with `status`. */
  readonly lastTransitionTime: string;
  /** The generation of the spec that was assessed. */
  readonly observedGeneration: number;
}

/** A condition that was found, before it is compared with the status. */
export type Finding = Omit<Condition, 'lastTransitionTime' | 'observedGeneration'>;

/** The reasons of one condition. Each has the status that it means and its default message. */
export type Reasons = Readonly<Record<string, readonly [status: ConditionStatus, sentence: string]>>;

/** All condition types that a controller can report, each with its reasons. */
export type ConditionSet = Readonly<Record<string, Reasons>>;

/** What a controller reports for one condition. The reason determines the status. */
export interface Mark<Reason extends string = string> {
  readonly reason: Reason;
  /**
   * A stable sentence with a capital and no full stop, without timestamps or random order. @default - the sentence of
   * the reason
   */
  readonly message?: string;
}

/** One mark for each condition that the controller reports. The status omits the others. */
export type Marks<V extends ConditionSet> = {
  readonly [Type in keyof V]?: Mark<Extract<keyof V[Type], string>> | undefined;
};

/** Resolves a controller's marks against its declared conditions. */
export function findings(vocabulary: ConditionSet, marks: Marks<ConditionSet>): Finding[] {
  return Object.entries(vocabulary).flatMap(([type, reasons]) => {
    const mark = marks[type];
    if (!mark) return [];
    const said = Object.hasOwn(reasons, mark.reason) ? reasons[mark.reason] : undefined;
    if (!said) throw new Error(`condition ${type} has no reason ${mark.reason}: declare it in conditions`);
    const [status, sentence] = said;
    return [{ type, status, reason: mark.reason, message: mark.message ?? sentence }];
  });
}

/**
 * `Ready`, which is computed: False if any of these conditions is False, Unknown if any is Unknown or missing, True
 * otherwise.
 * @param types the conditions that `Ready` depends on, in order. The first bad one gives the reason and the message
 */
export function readiness(types: readonly string[], found: readonly Finding[]): Finding {
  const of = types.map((type) => found.find((finding) => finding.type === type) ?? unheard(type));
  const worst = of.find(({ status }) => status === 'False') ?? of.find(({ status }) => status === 'Unknown');
  return worst
    ? { ...worst, type: 'Ready' }
    : { type: 'Ready', status: 'True', reason: 'Ready', message: 'Every condition is met' };
}

function unheard(type: string): Finding {
  return { type, status: 'Unknown', reason: 'Pending', message: `${type} has not been reported yet` };
}

/**
 * The findings as conditions. The time of the last transition is kept while the status stays the same.
 * @param now RFC 3339, whole seconds
 */
export function conditionsOf(
  found: readonly Finding[],
  before: readonly Condition[],
  { generation, now }: { generation: number; now: string },
): Condition[] {
  return found.map(({ message, ...finding }) => {
    const last = before.find(({ type }) => type === finding.type);
    const lastTransitionTime = last?.status === finding.status ? last.lastTransitionTime : now;
    return {
      ...finding,
      message: truncate(message, longestMessage),
      lastTransitionTime,
      observedGeneration: generation,
    };
  });
}

/** Bytes. The API server rejects a status with messages longer than 32,768 bytes. People read far less. */
const longestMessage = 1024;
