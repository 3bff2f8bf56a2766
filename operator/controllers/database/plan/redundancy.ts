import type { Instance } from '../instances/instances.js';
import { type LogPosition, lsnOf, wholeOf } from '../instances/log-position.js';
import { isServing, streamsFrom } from '../situation.js';

/**
 * True if all data of an instance is known to exist elsewhere: the instance follows the primary, or its last known
 * position is on the same timeline and not beyond the primary. Unknown positions count as not redundant.
 */
export function isRedundant(instance: Instance, leader: Instance | undefined): boolean {
  if (!leader || instance.name === leader.name || !isServing(leader)) return false;
  if (instance.report?.role === 'primary') return false;
  if (streamsFrom(leader, instance)) return true;
  const { timeline, position } = whereabouts(instance);
  const led = leader.report;
  if (timeline === undefined || position === undefined || led?.timeline === undefined) return false;
  return timeline === led.timeline && position <= (led.position ?? -1);
}

/**
 * The position of an instance for messages, for example `orders-2 (timeline 3, 0/5000060)`, or else the last known one.
 */
export function placeOf(instance: Instance): string {
  const now = wholeOf(instance.report);
  const { timeline, position } = now ?? lastPositionOf(instance) ?? {};
  if (timeline === undefined || position === undefined) return `${instance.name} (position unknown)`;
  return `${instance.name} (${now ? '' : 'last known: '}timeline ${timeline}, ${lsnOf(position)})`;
}

/** The last known position: a recreated or starting Pod does not report one. */
export function lastPositionOf({ noted, remembered }: Instance): LogPosition | undefined {
  return wholeOf(noted) ?? remembered;
}

function whereabouts({ report, noted }: Instance): Partial<LogPosition> {
  return report?.position === undefined ? (noted ?? {}) : report;
}
