import { text, time } from '../fields/status-fields.js';
import { enumeration, integer, keyedList, list, map, number, object, string } from '../schema/index.js';

const count = (description: string) => integer(description, { minimum: 0, optional: true });

const failureFields = {
  exitCode: integer('Exit code of the container that failed. Absent if none has ended.', { optional: true }),
  reason: text('Reason of the container, the Pod or the operator, such as `OOMKilled`.', 63),
  message: text('Details of the failure, as a sentence.', 1024),
  budget: text('Budget of `spec.retry` that the failure counts against.', 40),
};

const attempts = list(
  'Last 10 attempts that have ended, the newest first.',
  object('Attempt that has ended.', {
    run: integer('Run of the attempt. An edit begins another run.', { minimum: 1 }),
    attempt: integer('Number of the attempt in its run, from 1.', { minimum: 1 }),
    pod: string('Name of the Pod with the driver.', { maxLength: 63 }),
    node: text('Machine of the driver.'),
    startTime: time('Time at which the driver started. Absent if it never did.'),
    endTime: time('Time at which it ended.'),
    ...failureFields,
  }),
  { maxItems: 10, optional: true },
);

const driver = object(
  'Driver of the current attempt.',
  {
    pod: string('Name of the Pod.', { maxLength: 63 }),
    uid: string('UID of the Pod.', { maxLength: 64 }),
    node: text('Machine of the Pod.'),
    startTime: time('Time at which the driver started.'),
  },
  { optional: true },
);

const retries = object(
  'Failed attempts of this run, as they are counted.',
  {
    counted: integer('Number of the last attempt whose failure was counted.', { minimum: 0 }),
    failures: integer('Failures in a row since the budgets were given back.', { minimum: 0 }),
    used: map('Retries that were used, by budget.', integer('Number of retries.', { minimum: 0 }), {
      maxProperties: 64,
    }),
    memory: map(
      'Growth of memory, by role.',
      object('Growth of memory of a role.', {
        factor: number('Number by which the memory of the spec is multiplied.', { minimum: 1, format: 'double' }),
        max: text('Memory that is never exceeded.', 32),
      }),
      { maxProperties: 8 },
    ),
  },
  { optional: true },
);

const stopping = object(
  'Decision to stop the driver of the current attempt. It is written before the Pod is deleted.',
  {
    reason: enumeration('Reason in one word.', [
      'Edited',
      'Suspended',
      'DeadlineExceeded',
      'DriverNotStarted',
      'ExecutorsNotStarted',
      'DriverDidNotExit',
    ]),
    message: text('Details, as a sentence.', 1024),
    time: string('Time of the decision.', { format: 'date-time' }),
  },
  { optional: true },
);

/** The observed state of a SparkJob. */
export const sparkJobStatus = object('Observed state of the SparkJob. The operator writes it.', {
  state: enumeration(
    'State of the job.',
    ['Submitting', 'Running', 'Stopping', 'WaitingForRetry', 'Suspended', 'Succeeded', 'Failed'],
    { optional: true },
  ),
  run: count('Number of the current run. An edit while the job runs begins another one.'),
  attempt: count('Number of the current or last attempt in this run.'),
  attempts: text('Number of the attempt, and of the last one if all further failures count against `run`.', 16),
  revision: text('Hash of the fields that the run began with.', 64),
  driver,
  executors: text('Executors that run, and the number that the job asks for.', 16),
  executorsKilled: count('Executors of the current attempt whose containers exceeded their memory limit.'),
  runGeneration: integer('Generation of the spec that the operator compared with the run.', {
    format: 'int64',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    optional: true,
  }),
  idleTime: time('Time since which no executor runs although the driver wants some.'),
  executorKilledTime: time('Time at which the operator saw the last of them.'),
  contextTime: time('Time at which the driver of the current attempt created its SparkContext.'),
  contextEndTime: time('Time at which the operator saw that the SparkContext was stopped.'),
  retriesUsed: count('Number of retries in this run.'),
  nextAttemptTime: time('Time before which the next attempt does not start.'),
  retries,
  stopping,
  ended: attempts,
  failureCounts: keyedList(
    'Failures since the job was created, by reason.',
    ['reason'],
    object('Failures with a reason.', {
      reason: string('Reason, or `Error` without one.', { maxLength: 63 }),
      count: integer('Number of these failures.', { minimum: 0 }),
    }),
    { maxItems: 32, optional: true },
  ),
  startTime: time('Time at which the first driver of the run started.'),
  completionTime: time('Time at which the job ended.'),
  duration: text('Time from the start of the run to its end, such as `3m12s`.', 16),
  durationSeconds: count('Duration in seconds.'),
  exitCode: integer('Exit code of the last driver that has ended.', { optional: true }),
  version: text('Version of Spark that the executors report.', 63),
});
