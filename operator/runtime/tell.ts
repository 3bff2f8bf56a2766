import type { Happening } from './events.js';
import { keyOf, type LiveObject } from './object.js';
import type { Workplace } from './workplace.js';

/** Tells people, and the log where it is no good news. */
export function tell(
  happening: Happening,
  { controller, recorder, telemetry }: Pick<Workplace, 'controller' | 'recorder' | 'telemetry'>,
  owner: LiveObject,
): void {
  recorder.tell(controller, owner, happening);
  const fields = { controller: controller.name, key: keyOf(owner.metadata), reason: happening.reason };
  if (happening.type === 'Warning') telemetry.log.warn(fields, happening.note);
}
