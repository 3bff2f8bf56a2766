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

/**
 * A reason of a condition: the status that it means, its default message, and what a person can do about it, in Markdown.
 * Links in the action start at the root of the repository. A False condition needs a person, so its action is required.
 */
export type Reason =
  | readonly [status: 'True' | 'Unknown', sentence: string, action?: string]
  | readonly [status: 'False', sentence: string, action: string];

/** The reasons of one condition. */
export type Reasons = Readonly<Record<string, Reason>>;

/**
 * All condition types that a controller can report, each with its reasons. A condition whose reasons all have the status
 * True and an action is an alarm: it is there only while something is wrong.
 */
export type ConditionSet = Readonly<Record<string, Reasons>>;

/** Whether a condition is there only while something is wrong, so that True is the bad status. */
export function isAlarm(reasons: Reasons): boolean {
  return Object.values(reasons).every(([status, , action]) => status === 'True' && action !== undefined);
}

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

/** A condition as the schemas of resources have it: the API server does not require its generation. */
type ReportedCondition = Omit<Condition, 'observedGeneration'> & Partial<Pick<Condition, 'observedGeneration'>>;

/** A resource as far as its conditions go. */
interface Reporting<C> {
  readonly status?: { readonly conditions?: readonly C[] | undefined } | undefined;
}

/** The names of the conditions that a vocabulary has, and of those that the runtime reports for every resource. */
type TypeIn<V extends ConditionSet> = Extract<keyof V, string> | 'Ready' | 'Accepted';

/**
 * A condition of a resource, undefined if it does not report it.
 * @typeParam V the conditions of its controller, so that the compiler knows their names
 * @example conditionOf<typeof conditions>(resource, 'Available')?.reason
 */
export function conditionOf<
  V extends ConditionSet = ConditionSet,
  C extends { readonly type: string } = ReportedCondition,
>(resource: Reporting<C> | undefined, type: TypeIn<V>): C | undefined {
  return resource?.status?.conditions?.find((one) => one.type === type);
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
