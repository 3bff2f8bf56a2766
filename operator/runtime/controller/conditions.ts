import { truncate } from '../kubernetes/truncate.js';

/** @see https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#typical-status-properties */
export type ConditionStatus = 'True' | 'False' | 'Unknown';

/** A condition as it stands in a resource's status. */
export interface Condition {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message: string;
  /** RFC 3339, whole seconds; moves with `status` alone. */
  readonly lastTransitionTime: string;
  /** The generation of the spec that was judged. */
  readonly observedGeneration: number;
}

/** What was found about one condition, before it is compared with what the status said. */
export type Finding = Omit<Condition, 'lastTransitionTime' | 'observedGeneration'>;

/** The reasons of one condition: each with the status that it means and the sentence that it says by default. */
export type Reasons = Readonly<Record<string, readonly [status: ConditionStatus, sentence: string]>>;

/** Everything that a controller can say: condition types, each with its reasons. */
export type ConditionSet = Readonly<Record<string, Reasons>>;

/** What a controller says of one condition; its status follows from the reason. */
export interface Mark<Reason extends string = string> {
  readonly reason: Reason;
  /** A stable lowercase sentence, without times or random order. @default - the sentence of the reason */
  readonly message?: string;
}

/** One mark for each condition that there is something to say about; the others are left out of the status. */
export type Marks<V extends ConditionSet> = {
  readonly [Type in keyof V]?: Mark<Extract<keyof V[Type], string>> | undefined;
};

/** Reads a controller's marks with its vocabulary. */
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
 * `Ready`, which nobody sets: False if any of these is, Unknown if any is or is missing, True otherwise.
 * @param types the conditions that it depends on, in the order in which the first bad one speaks for all
 */
export function readiness(types: readonly string[], found: readonly Finding[]): Finding {
  const of = types.map((type) => found.find((finding) => finding.type === type) ?? unheard(type));
  const worst = of.find(({ status }) => status === 'False') ?? of.find(({ status }) => status === 'Unknown');
  return worst
    ? { ...worst, type: 'Ready' }
    : { type: 'Ready', status: 'True', reason: 'Ready', message: 'every condition is met' };
}

function unheard(type: string): Finding {
  return { type, status: 'Unknown', reason: 'Pending', message: `nothing is known about ${type} yet` };
}

/**
 * The findings as conditions: the time of the last transition is kept while the status stays what it was.
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

/** Bytes. The API refuses a status whose messages are longer than 32,768; a person reads far less. */
const longestMessage = 1024;
