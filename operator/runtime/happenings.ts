import type { Condition, Finding } from './conditions.js';
import type { Happening } from './events.js';

/** What changed in the conditions that a person wants to hear of, in their words. Nothing happens, nothing is told. */
export function happenings(before: readonly Condition[], found: readonly Finding[]): Happening[] {
  return found.flatMap(
    (finding) =>
      happening(
        before.find(({ type }) => type === finding.type),
        finding,
      ) ?? [],
  );
}

function happening(
  last: Condition | undefined,
  { type, status, reason, message: note }: Finding,
): Happening | undefined {
  if (type === 'Ready' && status === 'True') {
    return last && last.status !== 'True' ? { type: 'Normal', reason: 'Ready', note } : undefined;
  }
  const lost = type === 'Ready' && status === 'False' && last?.status === 'True';
  const refused = (type === 'Accepted' && status === 'False') || type === 'Conflict';
  const news = last?.status !== status || last.message !== note;
  return lost || (refused && news) ? { type: 'Warning', reason, note } : undefined;
}
