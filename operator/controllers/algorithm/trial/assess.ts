import type { AlgorithmResource } from '../../../../imports/index.js';
import { type Assessment, type Outcome, timestampOf } from '../../../runtime/index.js';
import type { conditions } from './conditions.js';
import type { TrialView } from './desire.js';
import { type TrialPhase, trialPhaseOf } from './next-action.js';
import { type Progress, progressOf } from './progress.js';
import type { TrialRecord } from './record.js';
import { type Situation, situationOf } from './situation.js';
import { promotedOf, routedOf } from './status/condition-marks.js';
import { eventsOf } from './status/events.js';
import { stableStatus, trialStatus, verdictStatus } from './status/fields.js';
import { historyOf } from './status/history.js';

type Found = Assessment<AlgorithmResource, typeof conditions, 'stable' | 'trial' | 'verdict' | 'history'>;

/** Milliseconds. At once, but in another reconcile, because the next action depends on what this one has written. */
const atOnce = 1;
/** Milliseconds between two checks for changes that trigger no watch event. */
const recheck = 5_000;

/** Reports how a version comes to serve, and advances its trial by one step. */
export function assess(outcome: TrialView & Pick<Outcome, 'blocker'>): Found {
  const situation = situationOf(outcome);
  const course = trialPhaseOf(situation);
  const { resource, traffic } = situation;
  const { numbers: known, startingPods } = outcome.polled;
  const hindrance = hindranceIn(startingPods);
  const progress = progressOf({ situation, course, known, hindrance, now: () => outcome.now });
  const { record, verdict } = progress;
  if (course === 'leave' && !record && !traffic.hasRoute) return { conditions: {} };
  const { status: before } = resource;
  const at = () => timestampOf(outcome.now);
  const Routed = routedOf(situation, outcome);
  // A spread of the outcome would read the time, on which nothing depends at rest.
  const { blocker } = outcome;
  return {
    conditions: { Promoted: promotedOf(situation, course, progress, { blocker, hindrance }), Routed },
    status: {
      ...withStable(situation, course),
      ...(record && { trial: trialStatus(situation, record, verdict) }),
      ...(verdict && { verdict: verdictStatus(verdict, before?.verdict, at()) }),
      ...(!verdict && record && before?.verdict && { verdict: before.verdict }),
      history: historyOf({ situation, course, record, now: at }),
    },
    events: eventsOf(situation, record),
    requeueAfter:
      course !== 'untracked' && hasMoved(situation, record, Routed.reason)
        ? atOnce
        : requeueAfter(situation, progress, Routed.reason === 'TrafficSplit'),
  };
}

/** The cause why the Pods on trial are not ready. The last known cause is kept while the source does not answer. */
function hindranceIn(startingPods: TrialView['polled']['startingPods']): string {
  const last = startingPods?.known ? startingPods : startingPods?.earlier.at(-1);
  return last?.value.why ?? '';
}

function withStable(situation: Situation, course: TrialPhase) {
  const stable = stableStatus(situation, course);
  return stable ? { stable } : {};
}

/** True if the next reconcile renders other objects than this one. */
function hasMoved({ record: before, resource }: Situation, after: TrialRecord | undefined, routed: string): boolean {
  const said = resource.status?.conditions?.find(({ type }) => type === 'Routed')?.reason;
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
