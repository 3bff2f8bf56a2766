import type { TrainingJobResource, TrainingJobStatusFaults, TrainingJobStatusRanks } from '../../imports/index.js';
import { relativeTime } from '../../operator/runtime/kubernetes/relative-time.js';
import { printable } from '../../operator/telemetry/printable-text.js';
import { alignedRows } from '../output/aligned-rows.js';
import { type Problem, problemsOf } from '../status/problems.js';
import { adviceFor } from './advice.js';
import { goodputLine, progressLine } from './goodput.js';
import { lossCurve, type Sample, speedText } from './progress.js';

/** One screen for the person on call. */
export interface TrainingStatusView {
  readonly lines: readonly string[];
  /** Whether a person should act. */
  readonly isWrong: boolean;
}

interface Moment {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Progress that was seen before. @default [] */
  readonly samples?: readonly Sample[];
  /** Characters of a line. @default 80 */
  readonly width?: number;
}

const none = '-';
/** Rows of a table of ranks. */
const shownRanks = 32;
/** The newest faults. The status has more. */
const shownFaults = 5;

/** A TrainingJob with its ranks, its faults, what is wrong, and what to do. */
export function trainingStatusView(job: TrainingJobResource, { now, samples = [], width = 80 }: Moment) {
  const all = problemsOf(job, now, { conditions: {}, rejections: {} });
  const [wrong, progress] = [all.filter(({ isProgress }) => !isProgress), all.filter(({ isProgress }) => isProgress)];
  const sections = [
    table([summary(job)]),
    [...goodputLine(job, now), ...(samples.length > 0 ? curveLines(job, samples, width) : progressLine(job, now))],
    rankLines(job),
    faultLines(job, now),
    wrong.length === 0 ? ['No problems.'] : ['Problems:', ...wrong.flatMap(problemLines)],
    progress.length === 0 ? [] : ['In progress:', ...progress.flatMap(problemLines)],
  ];
  const lines = sections
    .filter((section) => section.length > 0)
    .flatMap((section, index) => (index === 0 ? section : ['', ...section]));
  return { lines, isWrong: wrong.length > 0 } satisfies TrainingStatusView;
}

type Cells = Readonly<Record<string, string | number | undefined>>;

function summary({ metadata, spec, status = {} as never }: TrainingJobResource): Cells {
  const { phase, step, steps, loss, ready, rendezvous, checkpoint, restarts, conditions } = status;
  const { perWindow, fullPerWindow } = spec.restarts;
  return {
    JOB: `${metadata.namespace}/${metadata.name}`,
    READY: conditions?.find(({ type }) => type === 'Ready')?.status,
    PHASE: phase,
    STEP: steps === undefined || step === undefined ? step : `${step}/${steps}`,
    LOSS: loss === undefined ? undefined : Number(loss.toPrecision(5)),
    WORKERS: ready,
    GENERATION: rendezvous,
    CHECKPOINT: checkpoint?.step === undefined ? none : `${checkpoint.step}${checkpoint.healthy === false ? ' !' : ''}`,
    FAULTS: restarts?.total,
    'IN WINDOW': restarts && `${restarts.partial} of ${perWindow}, ${restarts.full} of ${fullPerWindow} full`,
  };
}

function curveLines(job: TrainingJobResource, samples: readonly Sample[], width: number): readonly string[] {
  const speed = speedText(samples, job);
  const curve = lossCurve(samples, width - 'loss  '.length);
  return [...(curve === '' ? [] : [`loss  ${curve}`]), ...(speed === '' ? [] : [speed])];
}

/** If there are too many, those that do not train come first, then those that are the furthest behind. */
function rankLines({ spec, status }: TrainingJobResource): readonly string[] {
  const ranks = status?.ranks ?? [];
  const order = ({ state, step }: TrainingJobStatusRanks) => (state === 'training' ? (step ?? 0) : -1);
  const shown = ranks.length > shownRanks ? ranks.toSorted((a, b) => order(a) - order(b)) : ranks;
  const { processesPerWorker } = spec;
  const rows = shown.slice(0, shownRanks).map(({ index, pod, node, state, step }) => {
    const first = index * processesPerWorker;
    const rank = processesPerWorker === 1 ? `${first}` : `${first}-${first + processesPerWorker - 1}`;
    return { RANK: rank, STATE: state ?? 'unknown', STEP: step, POD: pod, NODE: node };
  });
  const more = ranks.length - rows.length;
  return [...table(rows), ...(more > 0 ? [`and ${more} more`] : [])];
}

function faultLines({ status }: TrainingJobResource, now: number): readonly string[] {
  const faults = (status?.faults ?? []).slice(0, shownFaults);
  const row = ({ time, kind, grade, rank, step, pod, node, message, recoverySeconds }: TrainingJobStatusFaults) => ({
    ...{ FAULT: kind, WHEN: relativeTime(time, now), RANK: rank, STEP: step, REPAIR: grade },
    RECOVERY: recoverySeconds === undefined ? undefined : `${recoverySeconds}s`,
    ...{ POD: pod, NODE: node, MESSAGE: message },
  });
  return table(faults.map(row));
}

function problemLines(problem: Problem): readonly string[] {
  const { type, reason, message } = problem;
  const action = adviceFor(problem);
  const lines = [`  ${type} ${reason}`, `    ${message}`, ...(action === undefined ? [] : [`    To do: ${action}`])];
  return lines.map(printable);
}

/** Rows under the names of their columns. */
function table(rows: readonly Cells[]): readonly string[] {
  const [first] = rows;
  if (!first) return [];
  const cells = rows.map((row) => Object.values(row).map((cell) => printable(`${cell ?? none}`)));
  return alignedRows([Object.keys(first), ...cells]);
}
