import type { ResourceEvent } from '../../../../runtime/index.js';
import { weightOf } from '../../judgement/index.js';
import { planOf } from '../plan.js';
import type { TrialRecord } from '../record.js';
import type { Situation } from '../situation.js';
import { shortName } from './fields.js';

/** What a look at a trial changed, in sentences for people. What a condition tells is left to it. */
export function eventsOf(
  { record: before, resource, wanted }: Situation,
  after: TrialRecord | undefined,
): readonly ResourceEvent[] {
  const { lifecycle } = resource.spec;
  if (!after || !lifecycle || after === before) return [];
  const tell = (reason: string, note: string): ResourceEvent => ({ type: 'Normal', reason, note });
  const share = `${weightOf(after.state, planOf(lifecycle, resource.spec))} % of the requests`;
  const { stage, step } = after.state;
  const shown = shortName(wanted.version.image);
  if (after.id !== before?.id) {
    if (stage !== 'steps') return [];
    return [tell('TrialStarted', `${wanted.version.image} is on trial: it gets ${share} once its pods are ready`)];
  }
  if (stage === 'steps' && step !== before.state.step)
    return [tell('WeightIncreased', `it gets ${share}: ${after.sentence}`)];
  const isOrdered = after.isOrdered === true && !before.isOrdered;
  if (before.state.stage === 'steps' && (stage === 'bake' || stage === 'promoted')) {
    if (isOrdered) return [tell('PromotionRequested', `${shown} becomes the stable version: ${after.sentence}`)];
    return [tell('TrialSucceeded', `${shown} becomes the stable version: ${after.sentence}`)];
  }
  if (before.state.stage === 'bake' && stage === 'promoted') {
    const why = isOrdered ? after.sentence : `its bake of ${lifecycle.trial.bake} is over`;
    return [tell('BakeCompleted', `${shown} stays, and no number brings the version before it back any more: ${why}`)];
  }
  return [];
}
