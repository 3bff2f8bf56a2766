import type { Polled } from '../../runtime/index.js';

interface Reported {
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly reason: string; readonly message?: string }[];
  };
}

/** What the runtime says of a question that has no answer yet. Nothing failed then. */
const notYet: ReadonlySet<string> = new Set(['no answer yet', 'not polled yet']);

/** True if a question was changed or the operator was started, and the first answer is awaited. */
export function isAwaited(polled: Polled | undefined): boolean {
  return polled !== undefined && !polled.known && notYet.has(polled.why);
}

/**
 * The conditions that follow from an answer. While the first answer is awaited, they stay as they were reported, so that
 * they do not change with each new question.
 */
export function whileAwaited<Marks extends object>(
  marks: Marks,
  polled: Polled | undefined,
  { status }: Reported,
): Marks {
  if (!isAwaited(polled)) return marks;
  const kept = Object.keys(marks).flatMap((type) => {
    const before = status?.conditions?.find((condition) => condition.type === type);
    return before ? [[type, { reason: before.reason, message: before.message ?? '' }]] : [];
  });
  return { ...marks, ...Object.fromEntries(kept) };
}
