import type { Observation } from '../context/reconcile-context.js';
import type { CustomResource } from '../controller/custom-resource.js';
import type { Outcome } from '../controller/facts.js';
import { callUserCode } from '../controller/user-code.js';
import { ObservedDependencies } from '../memory/observed-dependencies.js';
import type { Assessed } from '../memory/reconciled-state.js';
import { observedFacts } from '../observe/observed-facts.js';
import type { Desired } from '../rendering/render.js';

/** What came of a pass. */
interface Attempt extends Pick<Outcome, 'accepted' | 'blocker'> {
  /** What to see of what the resource owns. @default - all of it */
  readonly desired?: readonly Desired[] | undefined;
}

/** Asks the controller how far a resource got. */
export function assessed(resource: CustomResource, view: Observation, { desired, ...attempt }: Attempt): Assessed {
  const { controller, ground } = view;
  const facts = observedFacts(resource, view, desired);
  const sight = new ObservedDependencies(view.asked.sight);
  const outcome = Object.assign(sight.of(facts), { pruning: sight.among(facts.pruning) }, attempt);
  const assessment = callUserCode(controller.name, 'assess', () => controller.assess(outcome));
  return { now: facts.now, assessment, sight, versions: ground?.versions(resource, sight) ?? '' };
}
