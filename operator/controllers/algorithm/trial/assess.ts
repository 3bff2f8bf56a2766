import type { AlgorithmResource } from '../../../../imports/index.js';
import { type Assessment, conditionOf, type Outcome, reportOnly, timestampOf } from '../../../runtime/index.js';
import { hindranceIn } from '../hindrance/hindrance.js';
import type { conditions } from './conditions.js';
import { eventsOf } from './events.js';
import { promotedOf } from './findings/promoted.js';
import { routedOf } from './findings/routed.js';
import { historyOf } from './history.js';
import { type Step, stepOf } from './plan/index.js';
import { type Progress, progressOf } from './progress.js';
import type { TrialRecord } from './resource/record.js';
import { type Situation, situationOf } from './situation.js';
import { stableStatus, trialStatus, verdictStatus } from './status-fields.js';
import type { TrialView } from './view.js';

type Found = Assessment<AlgorithmResource, typeof conditions, 'stable' | 'trial' | 'verdict' | 'history'>;

/** Milliseconds. At once, but in another reconcile, because the next action depends on what this one has written. */
const atOnce = 1;
/** Milliseconds between two checks for changes that trigger no watch event. */
const recheck = 5_000;

/** Reports how a version comes to serve, and advances its trial by one interval. */
export function assess(view: TrialView & Pick<Outcome, 'blocker'>): Found {
  const situation = situationOf(view);
  const step = stepOf(situation);
  const { resource, traffic } = situation;
  const { polled } = view;
  const hindrance = hindranceIn(polled.startingPods) ?? '';
  const progress = progressOf({ situation, step, polled: polled.numbers, hindrance, now: () => view.now });
  const { record, verdict } = progress;
  if (step === 'leave' && !record && !traffic.hasRoute) return { conditions: reportOnly({}) };
  const { status: before } = resource;
  const at = () => timestampOf(view.now);
  const Routed = routedOf(situation, view);
  // A spread of the view would read the time, on which nothing depends at rest.
  const { blocker } = view;
  return {
    conditions: { Promoted: promotedOf(situation, step, progress, { blocker, hindrance }), Routed },
    status: {
      ...withStable(situation, step),
      ...(record && { trial: trialStatus(situation, record, verdict) }),
      ...(verdict && { verdict: verdictStatus(verdict, before?.verdict, at()) }),
      ...(!verdict && record && before?.verdict && { verdict: before.verdict }),
      history: historyOf({ situation, step, record, now: at }),
    },
    events: eventsOf(situation, record),
    requeueAfter:
      step !== 'untracked' && hasMoved(situation, record, Routed.reason)
        ? atOnce
        : requeueAfter(situation, progress, Routed.reason === 'TrafficSplit'),
  };
}

function withStable(situation: Situation, step: Step) {
  const stable = stableStatus(situation, step);
  return stable ? { stable } : {};
}

/** True if the next reconcile renders other objects than this one. */
function hasMoved({ record: before, resource }: Situation, after: TrialRecord | undefined, routed: string): boolean {
  const said = conditionOf<typeof conditions>(resource, 'Routed')?.reason;
  return turningPoint(before) !== turningPoint(after) || said !== routed;
}

function turningPoint(record: TrialRecord | undefined): string {
  if (!record) return '';
  const { id, state, unweightedSince, capacity } = record;
  return `${id} ${state.stage} ${state.step} ${unweightedSince} ${capacity?.weight} ${capacity?.pods}`;
}

function requeueAfter({ traffic, trial, resource }: Situation, { nextTurn, record }: Progress, isRouted: boolean) {
  if (nextTurn !== undefined) return nextTurn;
  const isLeaving = resource.spec.lifecycle === undefined || traffic.unsplit === 'NoGateway';
  const isComing = traffic.isTaken && !isRouted;
  const isUnmeasured = record?.capacity !== undefined;
  return trial !== undefined || isUnmeasured || isComing || (isLeaving && traffic.hasRoute) ? recheck : undefined;
}
