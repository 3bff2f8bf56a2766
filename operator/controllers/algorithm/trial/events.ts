import type { ResourceEvent } from '../../../runtime/index.js';
import { weightOf } from '../judgement/index.js';
import { shortName } from '../versions/versions.js';
import type { TrialRecord } from './resource/record.js';
import { settingsOf } from './resource/settings.js';
import type { Situation } from './situation.js';

/** The events of one check of a trial. Changes that a condition reports get no event here. */
export function eventsOf(
  { record: before, resource, wanted }: Situation,
  after: TrialRecord | undefined,
): readonly ResourceEvent[] {
  const { lifecycle } = resource.spec;
  if (!after || !lifecycle || after === before) return [];
  const tell = (reason: string, note: string): ResourceEvent => ({ type: 'Normal', reason, note });
  const share = `${weightOf(after.state, settingsOf(lifecycle, resource.spec))}% of the requests`;
  const { stage, step } = after.state;
  const shown = shortName(wanted.version.image);
  if (after.id !== before?.id) {
    if (stage !== 'steps') return [];
    return [
      tell('TrialStarted', `Started a trial of ${wanted.version.image}, which gets ${share} when its Pods are ready`),
    ];
  }
  if (stage === 'steps' && step !== before.state.step)
    return [tell('WeightIncreased', `Increased the weight of ${shown} to ${share}: ${after.sentence}`)];
  const isOrdered = after.isOrdered === true && !before.isOrdered;
  if (before.state.stage === 'steps' && (stage === 'bake' || stage === 'promoted')) {
    if (isOrdered)
      return [tell('PromotionRequested', `Started the promotion of ${shown} to the stable version: ${after.sentence}`)];
    return [tell('TrialSucceeded', `Started the promotion of ${shown} to the stable version: ${after.sentence}`)];
  }
  if (before.state.stage === 'bake' && stage === 'promoted') {
    const why = isOrdered ? after.sentence : `its bake of ${lifecycle.trial.bake} ended`;
    return [
      tell('BakeCompleted', `Kept ${shown} as the stable version, and no verdict rolls it back any more: ${why}`),
    ];
  }
  return [];
}
