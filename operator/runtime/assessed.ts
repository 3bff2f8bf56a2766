import { authored } from './authored.js';
import type { CustomResource, Outcome } from './controller.js';
import type { Assessed } from './ground.js';
import { look } from './look.js';
import type { Desired } from './render.js';
import { Sight } from './sight.js';
import type { View } from './workplace.js';

/** What came of a pass. */
interface Attempt extends Pick<Outcome, 'accepted' | 'obstacle'> {
  /** What to see of what the resource owns. @default - all of it */
  readonly desired?: readonly Desired[] | undefined;
}

/** Asks the controller how far a resource got. */
export function assessed(resource: CustomResource, view: View, { desired, ...attempt }: Attempt): Assessed {
  const { controller, ground } = view;
  const facts = look(resource, view, desired);
  const sight = new Sight(view.asked.sight);
  const outcome = Object.assign(sight.of(facts), { leaving: sight.among(facts.leaving) }, attempt);
  const assessment = authored(controller.name, 'assess', () => controller.assess(outcome));
  return { now: facts.now, assessment, sight, versions: ground?.versions(resource, sight) ?? '' };
}
