import type { AlgorithmResource } from '../../../../imports/index.js';
import { ControllerRevision, type LiveDeployment, type Mark } from '../../../runtime/index.js';
import type { conditions } from '../conditions.js';
import { explainedRollout } from '../hindrance/hindrance.js';
import { rolloutOf } from '../versions/rollout.js';
import { versionsIn, wantedOf } from '../versions/versions.js';
import { isRollback, promotionOf, type StableView } from '../view.js';

type Deployed = Mark<keyof (typeof conditions)['Deployed']>;

/**
 * Whether the Pods run the current spec.
 * @param hindrance why Pods are not ready, empty if no cause is known
 */
export function deployedOf(
  resource: AlgorithmResource,
  siblings: StableView['siblings'],
  { deployment, hindrance }: { readonly deployment: LiveDeployment | undefined; readonly hindrance: string },
): Deployed {
  const newVersion = resource.spec.lifecycle && newVersionOf(resource, siblings);
  return newVersion ?? explainedRollout(rolloutOf(deployment), hindrance);
}

/** The condition while the version in the spec is not the stable one; undefined otherwise. */
function newVersionOf(resource: AlgorithmResource, siblings: StableView['siblings']): Deployed | undefined {
  const { stable } = versionsIn(siblings.of(ControllerRevision), resource.metadata.name);
  if (!stable || stable.name === wantedOf(resource).name) return undefined;
  const promoted = promotionOf(resource);
  if (!promoted) return { reason: 'OnTrial' };
  return { reason: isRollback(promoted) ? 'RolledBack' : 'OnTrial', message: promoted.message };
}
