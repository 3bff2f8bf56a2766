import type {
  TrainingJobResource,
  TrainingJobStatusFaults,
  TrainingJobStatusGoodput,
  TrainingJobStatusRanks,
} from '../../../imports/index.js';
import { lengthOf, relativeTime, type Shown, type Table } from '../../runtime/index.js';

type Row = Table['rows'][number];
type Seconds = TrainingJobStatusGoodput['seconds'];

/** Rows of the table of ranks. */
const shownRanks = 32;
/** The newest faults. The status has more. */
const shownFaults = 5;

/** The progress of a job, what its time went into, its ranks, and its last faults. */
export function statusTables({ resource, now }: Shown<TrainingJobResource>): readonly Table[] {
  const { faults = [] } = resource.status ?? {};
  return [
    { rows: [summary(resource)] },
    { rows: goodputRows(resource, now) },
    rankTable(resource),
    { rows: faults.slice(0, shownFaults).map((fault) => faultRow(fault, now)) },
  ];
}

function summary({ spec, status }: TrainingJobResource): Row {
  const { phase, step, steps, loss, ready, rendezvous, checkpoint, restarts } = status ?? {};
  const { perWindow, fullPerWindow } = spec.restarts;
  return {
    PHASE: phase,
    STEP: steps === undefined || step === undefined ? step : `${step}/${steps}`,
    LOSS: loss === undefined ? undefined : Number(loss.toPrecision(5)),
    WORKERS: ready,
    GENERATION: rendezvous,
    CHECKPOINT:
      checkpoint?.step === undefined ? undefined : `${checkpoint.step}${checkpoint.healthy === false ? ' !' : ''}`,
    FAULTS: restarts?.total,
    'IN WINDOW': restarts && `${restarts.partial} of ${perWindow}, ${restarts.full} of ${fullPerWindow} full`,
  };
}

const causes: Readonly<Record<TrainingJobStatusGoodput['activity'], keyof Seconds | undefined>> = {
  Training: 'kept',
  Starting: 'starting',
  Recovering: 'recovering',
  Suspended: 'suspended',
  Ended: undefined,
};

/** What the time since the first step went into until now. The status counts only until the last change. */
function secondsUntil({ seconds, updateTime, activity }: TrainingJobStatusGoodput, now: number): Seconds {
  const cause = causes[activity];
  const passed = Math.max(0, Math.round((now - Date.parse(updateTime)) / 1_000));
  return cause === undefined ? seconds : { ...seconds, [cause]: seconds[cause] + passed };
}

/** The share of the time that went into steps that were kept, what took the rest, the most first, and the speed. */
function goodputRows({ status }: TrainingJobResource, now: number): Table['rows'] {
  const { goodput, stepsPerSecond, estimatedCompletion } = status ?? {};
  const seconds = goodput && secondsUntil(goodput, now);
  const all = Object.values(seconds ?? {}).reduce((sum, one) => sum + one, 0);
  if (all === 0 && stepsPerSecond === undefined) return [];
  const lost = Object.entries(seconds ?? {})
    .filter(([cause, time]) => cause !== 'kept' && time > 0)
    .toSorted(([, a], [, b]) => b - a)
    .map(([cause, time]) => `${cause} ${lengthOf(1_000 * time)}`);
  const end = estimatedCompletion === undefined ? undefined : Math.max(0, Date.parse(estimatedCompletion) - now);
  const row = {
    GOODPUT: seconds && all > 0 ? `${((100 * seconds.kept) / all).toFixed(1)} %` : undefined,
    OF: all > 0 ? lengthOf(1_000 * all) : undefined,
    LOST: lost.length === 0 ? undefined : lost.join(', '),
    'STEPS/S': stepsPerSecond === undefined ? undefined : Number(stepsPerSecond.toPrecision(3)),
    'DONE IN': stepsPerSecond === undefined || end === undefined ? undefined : lengthOf(end),
  };
  return [row];
}

/** If there are too many, those that do not train come first, then those that are the furthest behind. */
function rankTable({ spec, status }: TrainingJobResource): Table {
  const ranks = status?.ranks ?? [];
  const order = ({ state, step }: TrainingJobStatusRanks) => (state === 'training' ? (step ?? 0) : -1);
  const shown = ranks.length > shownRanks ? ranks.toSorted((a, b) => order(a) - order(b)) : ranks;
  const { processesPerWorker } = spec;
  const rows = shown.slice(0, shownRanks).map(({ index, pod, node, state, step }) => {
    const first = index * processesPerWorker;
    const rank = processesPerWorker === 1 ? `${first}` : `${first}-${first + processesPerWorker - 1}`;
    return { RANK: rank, STATE: state ?? 'unknown', STEP: step, POD: pod, NODE: node };
  });
  return ranks.length > rows.length ? { title: `${rows.length} of ${ranks.length} ranks`, rows } : { rows };
}

function faultRow(fault: TrainingJobStatusFaults, now: number): Row {
  const { time, kind, grade, rank, step, pod, node, message, recoverySeconds } = fault;
  return {
    ...{ FAULT: kind, WHEN: relativeTime(time, now), RANK: rank, STEP: step, REPAIR: grade },
    RECOVERY: recoverySeconds === undefined ? undefined : `${recoverySeconds}s`,
    ...{ POD: pod, NODE: node, MESSAGE: message },
  };
}
