import type { Instance } from '../instances.js';
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

/** How far it got, in words for people: `orders-2 (timeline 3, 0/5000060)`. */
export function placeOf(instance: Instance): string {
  const { timeline, position } = whereabouts(instance);
  if (timeline === undefined || position === undefined) return `${instance.name} (position unknown)`;
  return `${instance.name} (timeline ${timeline}, ${lsnOf(position)})`;
}

function whereabouts({ report, noted }: Instance): { readonly timeline?: number; readonly position?: number } {
  return report?.position === undefined ? (noted ?? {}) : report;
}

/** A position as PostgreSQL writes it: the upper and the lower half, in hexadecimal. */
function lsnOf(position: number): string {
  const half = 2 ** 32;
  const hex = (part: number) => part.toString(16).toUpperCase();
  return `${hex(Math.floor(position / half))}/${hex(position % half)}`;
}
