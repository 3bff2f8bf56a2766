import type { Instance } from '../instances/instances.js';
import { type LogPosition, lsnOf, wholeOf } from '../instances/log-position.js';
import { isServing, streamsFrom } from './situation.js';

/**
 * True when everything that an instance holds is known to be elsewhere: it follows the primary; or it followed it last,
 * on the same timeline, and got no further. What is not known is not so.
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

/** How far it got, in words for people: `orders-2 (timeline 3, 0/5000060)`; if it does not say so now, what is known last. */
export function placeOf(instance: Instance): string {
  const now = wholeOf(instance.report);
  const { timeline, position } = now ?? lastPositionOf(instance) ?? {};
  if (timeline === undefined || position === undefined) return `${instance.name} (position unknown)`;
  return `${instance.name} (${now ? '' : 'last known: '}timeline ${timeline}, ${lsnOf(position)})`;
}

/** How far it had got when it was heard of last: a Pod that was made again, or one that starts, says nothing of it. */
export function lastPositionOf({ noted, remembered }: Instance): LogPosition | undefined {
  return wholeOf(noted) ?? remembered;
}

function whereabouts({ report, noted }: Instance): Partial<LogPosition> {
  return report?.position === undefined ? (noted ?? {}) : report;
}
