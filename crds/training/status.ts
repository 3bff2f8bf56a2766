import { boolean, conditions, enumeration, integer, keyedList, list, number, object, string } from '../schema/index.js';
import { observedGeneration, text, time } from '../status-fields.js';

const count = (description: string) => integer(description, { minimum: 0, optional: true });
const step = (description: string) =>
  integer(description, { format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, optional: true });

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
  }),
  { maxItems: 20, optional: true },
);

/** The observed state of a TrainingJob. */
export const trainingJobStatus = object(
  'Observed state of the TrainingJob. The operator writes it.',
  {
    observedGeneration,
    phase: enumeration(
      'Phase of the job.',
      ['Queued', 'Starting', 'Running', 'Recovering', 'Suspended', 'Succeeded', 'Failed'],
      { optional: true },
    ),
    rendezvous: integer('Generation of the process group. It only rises.', { minimum: 0, optional: true }),
    rendezvousTime: time('Time at which the operator saw the generation begin.'),
    incarnation: integer('Number of times that all Pods were replaced.', { minimum: 0, optional: true }),
    step: step('Number of steps that all ranks have done.'),
    steps: step('Number of steps in all, if the program states it.'),
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
      },
      { optional: true },
    ),
    faults,
    checkpoint: object(
      'Newest checkpoint.',
      {
        step: step('Step of the checkpoint.'),
        healthy: boolean('Whether the last state could be written and had only finite numbers.', { optional: true }),
      },
      { optional: true },
    ),
    openedTime: time('Time at which the workers that have no node yet were released to the scheduler.'),
    stoppingTime: time('Time since which the workers are asked to write a checkpoint and to stop.'),
    startTime: time('Time of the first generation.'),
    completionTime: time('Time at which the job succeeded or failed.'),
    conditions: conditions(),
  },
  // Generic tools treat a resource without a status as done. With generation -1 they wait for the operator.
  { default: { observedGeneration: -1 } },
);
