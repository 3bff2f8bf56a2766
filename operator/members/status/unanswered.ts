import { conditionOf, type Polled, pollFailureOf } from '../../runtime/index.js';

interface Reporting {
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly reason: string; readonly message?: string }[];
  };
}

/**
 * The conditions that follow from an answer. Until the first answer arrives, they stay as they were reported, so that
 * they do not change with each new question.
 */
export function keepUntilAnswered<Marks extends object>(
  marks: Marks,
  polled: Polled | undefined,
  resource: Reporting,
): Marks {
  const isAwaited = polled !== undefined && !polled.known && pollFailureOf(polled) === undefined;
  if (!isAwaited) return marks;
  const kept = Object.keys(marks).flatMap((type) => {
    const before = conditionOf(resource, type);
    return before ? [[type, { reason: before.reason, message: before.message ?? '' }]] : [];
  });
  return { ...marks, ...Object.fromEntries(kept) };
}
