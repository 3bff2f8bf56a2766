import type { AlgorithmResource } from '../../../../imports/index.js';
import { sentence } from '../../../members/index.js';
import { ControllerRevision, type LiveDeployment, type Mark } from '../../../runtime/index.js';
import type { conditions } from '../conditions.js';
import { type Rollout, rolloutOf } from '../versions/rollout.js';
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
  deployment: LiveDeployment | undefined,
  hindrance: string,
): Deployed {
  return (resource.spec.lifecycle && newVersionOf(resource, siblings)) ?? explained(rolloutOf(deployment), hindrance);
}

/** The cause comes first. If Pods cannot be created, the message has it already. */
function explained(rollout: Rollout, hindrance: string): Rollout {
  const { reason, message = '' } = rollout;
  const isStarting = reason === 'RollingOut' || reason === 'RolloutFailed';
  return isStarting && hindrance !== '' ? { reason, message: sentence(`${hindrance}: ${message}`) } : rollout;
}

/** The condition while the version in the spec is not the stable one; undefined otherwise. */
function newVersionOf(resource: AlgorithmResource, siblings: StableView['siblings']): Deployed | undefined {
  const { stable } = versionsIn(siblings.of(ControllerRevision), resource.metadata.name);
  if (!stable || stable.name === wantedOf(resource).name) return undefined;
  const promoted = promotionOf(resource);
  if (!promoted) return { reason: 'OnTrial' };
  return { reason: isRollback(promoted) ? 'RolledBack' : 'OnTrial', message: promoted.message };
}
