import { enumeration, integer, keyedList, list, number, object, string } from '../schema/index.js';

const time = (description: string) => string(description, { format: 'date-time' });
const text = (description: string) => string(description, { maxLength: 1024 });
const counter = (description: string) => integer(description, { format: 'int64', minimum: 0 });
const maybe = (description: string) => number(description, { optional: true });

/** The metrics of the requests to a version. */
const numbers = {
  requests: integer(
    'Number of requests that the version answered since the trial or the current measurement started.',
    {
      format: 'int64',
      minimum: 0,
      optional: true,
    },
  ),
  success: maybe('Fraction of these requests, from 0 to 1, that succeeded.'),
  latencyMs: maybe(
    'Latency in milliseconds at the percentile of `lifecycle.latency`, or at the 95th percentile without it.',
  ),
};

/** The fields of a running version. */
const version = {
  image: text('Container image of the version.'),
  version: string('Short name of the version for display: the tag of its image, or the start of its digest.', {
    maxLength: 128,
  }),
  revision: string(
    'Name of the ControllerRevision that stores the spec of the version. Without a gateway no version is stored.',
    { maxLength: 253 },
  ),
  weight: integer('Desired percentage of requests.', { minimum: 0, maximum: 100 }),
  replicas: integer('Desired number of replicas.', { minimum: 0, optional: true }),
  readyReplicas: integer('Number of replicas that answer requests.', { minimum: 0, optional: true }),
  ...numbers,
  drift: maybe('Distance between its answers and those of the stable version, by `lifecycle.drift`.'),
};

const stable = object('Version that was promoted last.', version, { optional: true });

const trial = object(
  'Version on trial, or in its bake.',
  {
    id: string('Unique ID of this trial, for commands that refer to it.', { maxLength: 253 }),
    ...version,
    version: string(
      'Short name of the version for display. Absent during the bake, because the version is then the stable one.',
      {
        maxLength: 128,
        optional: true,
      },
    ),
    weight: integer(
      'Desired percentage of requests. Absent during the bake, because the version then gets all requests.',
      {
        minimum: 0,
        maximum: 100,
        optional: true,
      },
    ),
    since: time('Time at which the trial started.'),
    variants: keyedList(
      'Metrics of the requests that each variant sent to this version.',
      ['name'],
      object('Metrics of a variant.', { name: string('Name of the variant.', { maxLength: 20 }), ...numbers }),
      { maxItems: 8, optional: true },
    ),
    state: string('State of the judgement, as JSON. Only the operator uses it.', {
      maxLength: 65_536,
      optional: true,
    }),
  },
  { optional: true },
);

const judgement = ['good', 'bad', 'undecided', 'missing'] as const;

const measure = {
  verdict: enumeration('Verdict on this metric.', judgement),
  sentence: text('Human-readable explanation of the verdict.'),
  value: maybe('Measured value: a fraction, a number of seconds, or a distance.'),
  atLeast: maybe('Lower bound of the value, with 95 % confidence.'),
  atMost: maybe('Upper bound of the value, with 95 % confidence.'),
  count: counter('Number of requests or observations behind the value.'),
};

const verdict = object(
  'Last verdict on the version on trial.',
  {
    verdict: enumeration('Verdict on all metrics together.', judgement),
    sentence: text('Human-readable explanation of the verdict.'),
    at: time('Time at which this verdict was first reached.'),
    success: object('Verdict on the fraction of requests that succeeded.', measure, { optional: true }),
    latency: object('Verdict on the latency of requests.', measure, { optional: true }),
    drift: object('Verdict on the drift of the answers.', measure, { optional: true }),
  },
  { optional: true },
);

const sla = object(
  'Measured service level of the stable version.',
  {
    availability: maybe(
      'Fraction of requests in the window that were answered successfully. Absent if there was no request.',
    ),
    burnRate: maybe('Rate at which the allowed failures are used up. Above 1, they do not last for the window.'),
    requests: counter('Number of requests in the window.'),
    failed: counter('Number of these requests that failed.'),
    since: time('Time of the first measurement in the window.'),
    countedUntil: integer(
      'Time up to which requests are counted, in milliseconds since 1970. Only the operator uses it.',
      {
        format: 'int64',
        minimum: 0,
        optional: true,
      },
    ),
    buckets: list(
      'Requests in the window by time, oldest first. Only the operator uses it.',
      object('Part of the window.', {
        until: counter('End of this part, in milliseconds since 1970.'),
        total: counter('Number of requests in this part.'),
        failed: counter('Number of these requests that failed.'),
      }),
      { maxItems: 64, optional: true },
    ),
  },
  { optional: true },
);

const scaling = object(
  'Replicas that the latency requires.',
  {
    minReplicas: integer('Current minimum number of replicas of the autoscaler.', { minimum: 1 }),
    since: time('Time of the last change of `minReplicas`.'),
  },
  { optional: true },
);

const history = list(
  'Last versions, newest first.',
  object('Version that was on trial.', {
    revision: string('Name of the ControllerRevision that stored the spec of the version.', { maxLength: 253 }),
    image: text('Container image of the version.'),
    from: time('Time at which the trial of the version started.'),
    to: string('Time at which the version stopped. Absent for the version that runs.', {
      format: 'date-time',
      optional: true,
    }),
    outcome: enumeration('Outcome of the trial.', ['Promoted', 'RolledBack', 'Aborted', 'Superseded', 'Withdrawn']),
    why: text('Human-readable reason for the outcome.'),
  }),
  { maxItems: 10, optional: true },
);

/** The observed state of an Algorithm. */
export const algorithmStatus = object('Observed state of the Algorithm. The operator writes it.', {
  phase: enumeration(
    'State in one word, for display. Programs should read the conditions.',
    ['Pending', 'Running', 'Trial', 'Promoting', 'RollingBack', 'RolledBack', 'Paused', 'Degraded', 'Rejected'],
    { optional: true },
  ),
  replicas: integer('Desired number of replicas at present, from the spec or from the autoscaler.', {
    minimum: 0,
    optional: true,
  }),
  readyReplicas: integer('Number of replicas that answer requests.', { minimum: 0, optional: true }),
  selector: string('Label selector of the Pods, in text form.', { maxLength: 1024, optional: true }),
  stable,
  trial,
  verdict,
  scaling,
  sla,
  history,
  retryCount: integer('Number of consecutive failed reconciles. 0 after a successful one.', {
    minimum: 0,
    optional: true,
  }),
  lastReconciled: string('Time at which the operator last changed this status.', {
    format: 'date-time',
    optional: true,
  }),
});
