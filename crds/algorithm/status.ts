import { conditions, enumeration, integer, keyedList, list, number, object, string } from '../schema/index.js';

const time = (description: string) => string(description, { format: 'date-time' });
const text = (description: string) => string(description, { maxLength: 1024 });
const counter = (description: string) => integer(description, { format: 'int64', minimum: 0 });
const maybe = (description: string) => number(description, { optional: true });

/** What requests say of a version. */
const numbers = {
  requests: integer('Requests that it answered since this trial, or this measuring, began.', {
    format: 'int64',
    minimum: 0,
    optional: true,
  }),
  success: maybe('The share of them, from 0 to 1, that succeeded.'),
  latencyMs: maybe('The percentile of `lifecycle.latency`, else the 95th, in milliseconds.'),
};

/** A version that runs. */
const version = {
  image: text('Its image.'),
  version: string('A short name for people: the tag of its image, or the beginning of its digest.', { maxLength: 128 }),
  revision: string('The ControllerRevision that keeps its spec.', { maxLength: 253 }),
  weight: integer('Per cent of the requests that it is to get.', { minimum: 0, maximum: 100 }),
  replicas: integer('Replicas that there are to be.', { minimum: 0, optional: true }),
  readyReplicas: integer('Replicas that answer requests.', { minimum: 0, optional: true }),
  ...numbers,
  drift: maybe('How far its answers are from those of the stable version, by `lifecycle.drift`.'),
};

const stable = object('The version that was promoted last.', version, { optional: true });

const trial = object(
  'The version on trial, or in its bake.',
  {
    id: string('Names this trial and no other, for commands that are meant for it.', { maxLength: 253 }),
    ...version,
    version: string('A short name for people, as that of `stable`; absent in its bake, when it is that one.', {
      maxLength: 128,
      optional: true,
    }),
    weight: integer('Per cent of the requests that it is to get; absent in its bake, when it gets all of them.', {
      minimum: 0,
      maximum: 100,
      optional: true,
    }),
    since: time('When the trial began.'),
    variants: keyedList(
      'The numbers of the requests that a variant sent to it.',
      ['name'],
      object('One variant.', { name: string("The variant's name.", { maxLength: 20 }), ...numbers }),
      { maxItems: 8, optional: true },
    ),
    state: string('What the judgement goes on with, as JSON; for the operator alone.', {
      maxLength: 65_536,
      optional: true,
    }),
  },
  { optional: true },
);

const judgement = ['good', 'bad', 'undecided', 'missing'] as const;

const measure = {
  verdict: enumeration('What it says.', judgement),
  sentence: text('Why, for people.'),
  value: maybe('What was measured: a share, seconds, or a distance.'),
  atLeast: maybe('What it is at the least, with 95 % confidence.'),
  atMost: maybe('What it is at the most, with 95 % confidence.'),
  count: counter('Requests or observations that this was seen in.'),
};

const verdict = object(
  'What the numbers last said of the version on trial.',
  {
    verdict: enumeration('What they say together.', judgement),
    sentence: text('Why, for people.'),
    at: time('When they said it first.'),
    success: object('Of the requests that succeeded.', measure, { optional: true }),
    latency: object('Of the time that requests took.', measure, { optional: true }),
    drift: object('Of the answers.', measure, { optional: true }),
  },
  { optional: true },
);

const sla = object(
  'How the stable version keeps its service level.',
  {
    availability: maybe('The share of requests in the window that were answered well; absent without a request.'),
    burnRate: maybe('How fast the allowed failures are used up: above 1 they do not last for the window.'),
    requests: counter('Requests in the window.'),
    failed: counter('Those of them that failed.'),
    since: time('When the measuring of what is in the window began.'),
    countedUntil: integer('Until when requests were counted, in milliseconds since 1970; for the operator alone.', {
      format: 'int64',
      minimum: 0,
      optional: true,
    }),
    buckets: list(
      'The requests of the window, by time, the oldest first; for the operator alone.',
      object('A part of the window.', {
        until: counter('Its end, in milliseconds since 1970.'),
        total: counter('Requests.'),
        failed: counter('Those of them that failed.'),
      }),
      { maxItems: 64, optional: true },
    ),
  },
  { optional: true },
);

const scaling = object(
  'How many replicas the latency asks for.',
  {
    minReplicas: integer('Replicas below which the autoscaler does not go at present.', { minimum: 1 }),
    since: time('When that number was last changed.'),
  },
  { optional: true },
);

const history = list(
  'The last versions, the newest first.',
  object('A version that was tried.', {
    revision: string('The ControllerRevision that kept its spec.', { maxLength: 253 }),
    image: text('Its image.'),
    from: time('When it began.'),
    to: string('When it ended; absent of the version that runs.', { format: 'date-time', optional: true }),
    outcome: enumeration('How its trial ended.', ['Promoted', 'RolledBack', 'Aborted', 'Superseded', 'Withdrawn']),
    why: text('Why, for people.'),
  }),
  { maxItems: 10, optional: true },
);

/** The observed state of an Algorithm. */
export const algorithmStatus = object(
  'What was observed. The operator writes it.',
  {
    observedGeneration: integer('The `metadata.generation` that the status is about.', {
      format: 'int64',
      minimum: -1,
      optional: true,
    }),
    phase: enumeration(
      'The state in one word, for people; programs read the conditions.',
      ['Pending', 'Running', 'Trial', 'Promoting', 'RollingBack', 'RolledBack', 'Paused', 'Degraded', 'Rejected'],
      { optional: true },
    ),
    replicas: integer("Replicas that there are to be at present: those of the spec, or the autoscaler's number.", {
      minimum: 0,
      optional: true,
    }),
    readyReplicas: integer('Replicas that answer requests.', { minimum: 0, optional: true }),
    selector: string('The label selector of the pods, in text form.', { maxLength: 1024, optional: true }),
    stable,
    trial,
    verdict,
    scaling,
    sla,
    history,
    retryCount: integer('Failed reconciles in a row; 0 after a successful one.', { minimum: 0, optional: true }),
    lastReconciled: string('When the operator last changed this status.', { format: 'date-time', optional: true }),
    conditions: conditions(),
  },
  // Tools that know no kind take what says nothing for done: until the operator has looked, it is of no generation.
  { default: { observedGeneration: -1 } },
);
