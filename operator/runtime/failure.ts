import type { Applying } from './apply.js';
import { conditionsOf, type Finding } from './conditions.js';
import { type RuntimeStatus, runtimeConditions, runtimeStatusOf } from './controller.js';
import { advice, untilOverdue } from './deletion.js';
import { isApiError, isRefusal, messageOf } from './errors.js';
import type { Happening } from './events.js';
import { kept, report } from './report.js';
import { accepted, concluded } from './verdict.js';

/** Failures in a row after which people are told: earlier ones mostly mend themselves. */
const worthTelling = 3;

/**
 * Says in the status that a pass failed, without touching what the last good one found: how often in a row, and, when
 * the API server refused or it goes on, why.
 *
 * @param failures in a row, this one included
 * @returns what to tell people, if it is time
 */
export async function reportFailure(
  error: unknown,
  failures: number,
  applying: Applying,
  now: Date,
): Promise<Happening | undefined> {
  const { retryCount } = runtimeStatusOf(applying.owner);
  const status = statusOfFailure(error, failures, applying, now);
  await report(status, applying);
  if (!isDue(failures, retryCount)) return undefined;
  return { type: 'Warning', reason: 'PassFailed', note: `${failures} passes in a row failed: ${explained(error)}` };
}

/** Once in a row. Conflicts are counted and not said, so the third failure that is said may be the fourth. */
function isDue(failures: number, said: number | undefined): boolean {
  return failures === worthTelling || (failures > worthTelling && said !== undefined && said < worthTelling);
}

function statusOfFailure(error: unknown, failures: number, { controller, owner }: Applying, now: Date): RuntimeStatus {
  const before = runtimeStatusOf(owner);
  const seconds = `${now.toISOString().slice(0, 19)}Z`;
  const status = { ...before, ...kept(controller, { retryCount: failures, lastReconciled: seconds }) };
  const refused = isRefusal(error);
  if (!refused && failures < worthTelling) return ours(status, controller.conditions);
  const isOverdue = (untilOverdue(controller, owner, now.getTime()) ?? 1) <= 0;
  const message = isOverdue ? `${explained(error)}; ${advice(owner)}` : explained(error);
  const ready: Finding = refused
    ? { type: 'Ready', status: 'False', reason: 'Refused', message }
    : { type: 'Ready', status: 'Unknown', reason: 'PassFailed', message };
  const generation = owner.metadata.generation ?? 0;
  // What the server refuses was rendered: of the spec itself an older complaint is over.
  const found = [...(refused ? [accepted] : []), ...concluded(ready, refused)];
  const over = new Set(['Ready', 'Stalled', 'Reconciling', ...found.map(({ type }) => type)]);
  const left = (before.conditions ?? []).filter(({ type }) => !over.has(type));
  const judged = conditionsOf(found, before.conditions ?? [], { generation, now: seconds });
  const observed = refused ? { observedGeneration: generation } : {};
  return ours({ ...status, ...observed, conditions: [...left, ...judged] }, controller.conditions);
}

/** Without the conditions of others, which a status write of ours must not claim. */
function ours(status: RuntimeStatus, vocabulary: object): RuntimeStatus {
  const types = [...runtimeConditions, ...Object.keys(vocabulary)];
  return { ...status, conditions: (status.conditions ?? []).filter(({ type }) => types.includes(type)) };
}

/** What the server said, and for what is in a person's hands what to do about it. */
function explained(error: unknown): string {
  const message = messageOf(error);
  if (isApiError(error, 'Forbidden')) return `${message}: grant the right or raise the quota`;
  return message;
}
