import type { AlgorithmResource } from '../../../../imports/index.js';
import { type Assessment, type Outcome, timestampOf } from '../../../runtime/index.js';
import type { conditions } from './conditions.js';
import type { TrialView } from './desire.js';
import { trialPhaseOf } from './next-action.js';
import { type Progress, progressOf } from './progress.js';
import type { TrialRecord } from './record.js';
import { type Situation, situationOf } from './situation.js';
import { promotedOf, routedOf } from './status/condition-marks.js';
import { eventsOf } from './status/events.js';
import { stableStatus, trialStatus, verdictStatus } from './status/fields.js';
import { historyOf } from './status/history.js';

type Found = Assessment<AlgorithmResource, typeof conditions, 'stable' | 'trial' | 'verdict' | 'history'>;

/** At once, but in another pass: what is to be done follows from what this one has written. */
const atOnce = 1;
/** Milliseconds after which it is looked whether what nobody tells of has happened meanwhile. */
const recheck = 5_000;
/** The same for a Gateway API that is not there. */
const apiRecheck = 60_000;

/** Says how a version comes to serve, and takes its trial one step further. */
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
  return {
    conditions: { Promoted: promotedOf(situation, course, progress, { ...outcome, hindrance }), Routed },
    status: {
      ...withStable(situation),
      ...(record && { trial: trialStatus(situation, record, verdict) }),
      ...(verdict && { verdict: verdictStatus(verdict, before?.verdict, at()) }),
      ...(!verdict && record && before?.verdict && { verdict: before.verdict }),
      history: historyOf({ situation, course, record, now: at }),
    },
    events: eventsOf(situation, record),
    requeueAfter: hasMoved(situation, record, Routed.reason)
      ? atOnce
      : requeueAfter(situation, progress, Routed.reason === 'TrafficSplit'),
  };
}

/** What keeps the pods on trial. What was seen last holds while nobody answers: a deadline tells it for good. */
function hindranceIn(startingPods: TrialView['polled']['startingPods']): string {
  const last = startingPods?.known ? startingPods : startingPods?.earlier.at(-1);
  return last?.value.why ?? '';
}

function withStable(situation: Situation) {
  const stable = stableStatus(situation);
  return stable ? { stable } : {};
}

/** True when the next pass makes other objects of what this one found. */
function hasMoved({ record: before, resource }: Situation, after: TrialRecord | undefined, routed: string): boolean {
  const said = resource.status?.conditions?.find(({ type }) => type === 'Routed')?.reason;
  return turningPoint(before) !== turningPoint(after) || said !== routed;
}

function turningPoint(record: TrialRecord | undefined): string {
  if (!record) return '';
  const { id, state, unweightedSince } = record;
  return `${id} ${state.stage} ${state.step} ${unweightedSince}`;
}

function requeueAfter({ traffic, trial, resource }: Situation, { nextTurn }: Progress, isRouted: boolean) {
  if (nextTurn !== undefined) return nextTurn;
  const isLeaving = resource.spec.lifecycle === undefined || traffic.unsplit === 'NoGateway';
  const isComing = traffic.isTaken && !isRouted;
  if (trial !== undefined || isComing || (isLeaving && traffic.hasRoute)) return recheck;
  return traffic.unsplit === 'NoGatewayApi' ? apiRecheck : undefined;
}
