import { text, time } from '../fields/status-fields.js';
import { boolean, enumeration, integer, keyedList, list, number, object, string } from '../schema/index.js';

const count = (description: string) => integer(description, { minimum: 0, optional: true });
const step = (description: string) =>
  integer(description, { format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, optional: true });

const long = { format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const;
const seconds = (description: string) => integer(description, { ...long, optional: true });

const ranks = keyedList(
  'Workers of the current generation, in the order of their ranks.',
  ['pod'],
  object('Worker of the current generation.', {
    pod: string('Name of the Pod.', { maxLength: 63 }),
    uid: string('UID of the Pod.', { maxLength: 64 }),
    index: integer('Place of the worker. Its first rank is this number times `processesPerWorker`.', { minimum: 0 }),
    node: text('Machine of the Pod.'),
    state: text('State of the worker in one word, such as `training`.', 32),
    step: step('Number of steps that it has done.'),
    slowSince: step('Step since which it computes longer than `spec.health.straggler` allows. Absent if it does not.'),
  }),
  { maxItems: 1024, optional: true },
);

const faults = list(
  'Last 20 faults, the newest first.',
  object('Fault of a worker.', {
    id: string('Identifier of the fault, so that it is counted once.', { maxLength: 128 }),
    time: string('Time at which the operator saw the fault.', { format: 'date-time' }),
    kind: string('Kind of the fault, such as `PodLost`, `RankStalled` or `NonFiniteLoss`.', { maxLength: 32 }),
    pod: text('Name of the Pod.', 63),
    uid: text('UID of the Pod.', 64),
    node: text('Machine of the Pod.'),
    rank: count('Rank of the process, or the first rank of the Pod.'),
    step: step('Step at which it happened.'),
    grade: enumeration(
      'Repair of the fault. `Generation` lets the processes form a new group, `Process` starts the process again, `Pod` replaces the Pod, and `Job` replaces all Pods.',
      ['Generation', 'Process', 'Pod', 'Job'],
    ),
    message: text('Details of the fault, as a sentence.', 512),
    rendezvous: count('Generation of the process group in which it happened.'),
    detectionSeconds: seconds(
      'Seconds from the fault until the operator saw it. For a stall, they begin with the last progress. Absent if unknown.',
    ),
    recoverySeconds: seconds(
      'Seconds from when the operator saw the fault until all ranks trained again. Absent before.',
    ),
  }),
  { maxItems: 20, optional: true },
);

const goodput = object(
  'Share of the time since the first step that went into steps that were kept, with `recovery: InPlace`.',
  {
    ratio: number('Share from 0 to 1.', { format: 'double' }),
    startTime: string('Time of the first step.', { format: 'date-time' }),
    updateTime: string('Time until which the seconds are counted. Later ones belong to `activity`.', {
      format: 'date-time',
    }),
    activity: enumeration('Activity of the job since then.', [
      'Training',
      'Starting',
      'Recovering',
      'Suspended',
      'Ended',
    ]),
    startStep: step('First step that was counted.'),
    step: integer('Step until which the seconds are counted.', long),
    maxStep: integer('Highest step that was done. Steps below it are done again.', long),
    seconds: object('Seconds since the first step, by what they went into.', {
      kept: integer('Steps that were done for the first time.', long),
      repeated: integer('Steps that were done again after a fault.', long),
      stalled: integer('Time without a step, until the operator saw that a rank made no progress.', long),
      recovering: integer(
        'Time from any other fault, or from a stall that was seen, until all ranks trained again.',
        long,
      ),
      suspended: integer('Time in which the job was suspended, or stopped for a change.', long),
      starting: integer('Time from then until all ranks trained again.', long),
    }),
  },
  { optional: true },
);

/** The observed state of a TrainingJob. */
export const trainingJobStatus = object('Observed state of the TrainingJob. The operator writes it.', {
  phase: enumeration(
    'Phase of the job.',
    ['Queued', 'Starting', 'Running', 'Recovering', 'Stopping', 'Suspended', 'Succeeded', 'Failed'],
    { optional: true },
  ),
  rendezvous: integer('Generation of the process group. It only rises.', { minimum: 0, optional: true }),
  rendezvousTime: time('Time at which the operator saw the generation begin.'),
  incarnation: integer('Number of times that all Pods were replaced.', { minimum: 0, optional: true }),
  step: step('Number of steps that all ranks have done.'),
  steps: step('Number of steps in all, if the program states it.'),
  stepsPerSecond: number('Speed of the steps that were kept. Absent in the first seconds.', {
    format: 'double',
    optional: true,
  }),
  estimatedCompletion: time(
    'Time at which all steps are done at this speed. Absent while the job does not train, or if the program does not state the number of steps.',
  ),
  loss: number('Loss of the last step of the first rank. Absent if it is not a finite number.', {
    format: 'double',
    optional: true,
  }),
  workers: count('Number of existing workers, without spares.'),
  ready: text('Workers that take part and desired workers, such as `4/4`.', 16),
  selector: text('Label selector of the Pods of the workers, in text form.', 1024),
  ranks,
  restarts: object(
    'Restarts in the current window.',
    {
      partial: integer('Number of faults since the last restart of all workers.', { minimum: 0 }),
      full: integer('Number of restarts of all workers.', { minimum: 0 }),
      windowStart: time('Time of the first fault of the window.'),
      total: integer('Number of faults since the job was created.', { minimum: 0 }),
      spikes: count('Number of faults of the loss in the window. Absent without one.'),
      backoffUntil: time('Time until which the next restart waits. Absent if none waits.'),
    },
    { optional: true },
  ),
  faults,
  faultCounts: keyedList(
    'Faults since the job was created, by kind.',
    ['kind'],
    object('Faults of a kind.', {
      kind: string('Kind of the fault.', { maxLength: 32 }),
      count: integer('Number of these faults.', { minimum: 0 }),
    }),
    { maxItems: 32, optional: true },
  ),
  goodput,
  checkpoint: object(
    'Newest checkpoint.',
    {
      step: step('Step of the checkpoint.'),
      healthy: boolean('Whether the last state could be written and had only finite numbers.', { optional: true }),
    },
    { optional: true },
  ),
  displacedBy: text(
    'Namespace and name of the TrainingJob of a higher priority for which this one trains with `minWorkers`. Absent without one.',
    512,
  ),
  displacedRendezvous: count('Last generation before it was displaced. Absent if it is not.'),
  openedTime: time('Time at which the workers that have no node yet were released to the scheduler.'),
  stoppingTime: time('Time since which the workers are asked to write a checkpoint and to stop.'),
  refusedTime: time(
    'Time at which the job gave its Pods back, because a ResourceQuota did not allow all of them. Absent a minute later.',
  ),
  startTime: time('Time of the first generation.'),
  completionTime: time('Time at which the job succeeded or failed.'),
});
