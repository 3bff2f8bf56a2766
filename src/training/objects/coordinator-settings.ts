import { defaultTrainingCoordinatorResources } from '../../../crds/index.js';
import { containerResources } from '../../workload/resources.js';

/** What the Pod of a coordinator needs. Its declaration must not need the types of cdk8s-plus, which users may lack. */
export function coordinatorResources(): {
  readonly requests: Readonly<Record<'cpu' | 'memory', string>>;
  readonly limits: Readonly<Record<'cpu' | 'memory', string>>;
} {
  return containerResources(undefined, defaultTrainingCoordinatorResources);
}
