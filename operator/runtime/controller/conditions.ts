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

/**
 * One mark for each declared condition. The status omits a condition that is undefined. Only those in `O`, the
 * `optionalConditions` of the controller, may be left out: a condition that is forgotten would keep `Ready` at Unknown.
 */
export type Marks<V extends ConditionSet, O extends keyof V = never> = {
  readonly [Type in Exclude<keyof V, O>]: Mark<Extract<keyof V[Type], string>> | undefined;
} & {
  readonly [Type in O]?: Mark<Extract<keyof V[Type], string>> | undefined;
};

declare const onlyThese: unique symbol;

/** Marks of some conditions. The others are left out on purpose. */
export type SomeMarks<M extends object> = M & { readonly [onlyThese]: true };

/**
 * Marks of some conditions, for a resource in a state in which the others mean nothing, such as its deletion.
 * @example conditions: reportOnly({ Available: { reason: 'Terminating' } })
 */
export function reportOnly<const M extends object>(marks: M): SomeMarks<M> {
  return marks as SomeMarks<M>;
}

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

/** A bug of the controller, which would otherwise look like progress that never ends. */
function unheard(type: string): Finding {
  return {
    type,
    status: 'Unknown',
    reason: 'Pending',
    message: `assess does not report ${type}: return it there, or list it in optionalConditions`,
  };
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
