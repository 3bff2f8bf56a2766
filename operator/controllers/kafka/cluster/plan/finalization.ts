import { waitStep } from '../../../../members/index.js';
import { quorumIn, type Situation, stayingIn } from '../situation.js';
import { illnessOf } from './health.js';
import { isOutdated } from './outdated.js';
import type { Step } from './step.js';

/** Raises the level of `metadata.version` when every node runs the version and the time has come. */
export function finalization(situation: Situation): Step | undefined {
  const { cluster, now } = situation;
  const { level, due } = situation.finalization;
  const { finalized, maximum } = cluster?.metadataVersion ?? {};
  if (finalized === undefined || maximum === undefined || finalized >= level || !quorumIn(situation)) return undefined;
  const staying = stayingIn(situation);
  if (staying.some((node) => isOutdated(node, situation) || illnessOf(node, situation) !== undefined)) return undefined;
  if (due === undefined) return waitStep('finalization', 'the version is finalized when a person approves it');
  if (now < due) return waitStep('finalization', 'the version is finalized after spec.finalize.after');
  if (maximum < level)
    return waitStep('finalization', 'the version is finalized when every registered node supports it');
  const request = { act: 'finalize' as const, level };
  return { act: 'call', concern: 'finalization', request, why: `metadata.version is raised to level ${level}` };
}
