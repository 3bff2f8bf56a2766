import {
  boolean,
  duration,
  enumeration,
  integer,
  keyedList,
  list,
  map,
  number,
  object,
  string,
} from '../schema/index.js';

/** What RFC 9110 takes as the name of a header, in lower case: requests are matched whatever case they are in. */
const HEADER_NAME = '^[a-z0-9!#$%&*+.^_|~-]{1,256}$';

const steps = list(
  'The shares that a new version gets one after the other. By default one step of `canaryWeight`, which takes as long as the judgement.',
  object('A share of the requests.', {
    weight: integer('Per cent of the requests that the new version gets.', { minimum: 1, maximum: 100 }),
    for: duration('How long it gets them at the least; longer until it is proved good at this share.', {
      minimum: '0s',
      maximum: '168h',
      default: '0s',
    }),
  }),
  {
    maxItems: 16,
    optional: true,
    rules: [
      {
        rule: 'self.map(step, step.weight).isSorted()',
        message: 'goes down; write the steps in the order of their weights, the least first',
        messageExpression:
          "'the weights %s go down; write the steps in the order of their weights, the least first'.format([self.map(step, step.weight)])",
      },
    ],
  },
);

const trial = object(
  'How a new version is judged.',
  {
    interval: duration('How often the numbers are looked at.', { minimum: '1s', maximum: '1h', default: '10s' }),
    minRequests: integer('Requests that a version must have answered before it is judged the first time.', {
      minimum: 1,
      maximum: 1_000_000_000,
      default: 200,
    }),
    failureLimit: integer('So many bad verdicts, in the whole trial, take a version back.', {
      minimum: 1,
      maximum: 100,
      default: 2,
    }),
    errorLimit: integer('After so many intervals in a row without numbers their absence is said.', {
      minimum: 1,
      maximum: 1000,
      default: 5,
    }),
    deadline: duration('A version that is not promoted by then is taken back. Pauses do not count.', {
      minimum: '10s',
      maximum: '168h',
      default: '30m',
    }),
    bake: duration('How long after the promotion a bad number still brings the version before back.', {
      minimum: '0s',
      maximum: '168h',
      default: '10m',
    }),
  },
  {
    default: {},
  },
);

const latency = object(
  'Judges how long requests take, against `scaling.targetLatencyMs`. By default that is not judged.',
  {
    percentile: integer('Of a hundred requests so many must be answered within the target.', {
      default: 95,
      rules: [
        {
          rule: 'self >= 50 && self <= 99',
          message: 'is no percentile that can be judged; use a whole number from 50 to 99, as 95',
        },
      ],
    }),
  },
  { optional: true },
);

const drift = object(
  'Judges how far the answers of a new version are from those of the stable one. By default that is not judged.',
  {
    metric: string('The name of a histogram that the pods expose, as `prediction_score`.', {
      minLength: 1,
      maxLength: 256,
      pattern: '^[a-zA-Z_:][a-zA-Z0-9_:]*$',
    }),
    method: enumeration(
      'How the distance is measured: the population stability index, or the Kolmogorov-Smirnov distance.',
      ['PSI', 'KS'],
      { default: 'PSI' },
    ),
    threshold: number('The largest distance that is good.', {
      minimum: 0,
      maximum: 100,
      default: 0.2,
      rules: [
        {
          rule: 'self > 0.0',
          message: 'is 0, which no two samples keep; use a distance above 0, as 0.2',
        },
      ],
    }),
  },
  { optional: true },
);

const variants = keyedList(
  'Requests that always reach the version on trial while there is one, whatever its weight. The first that matches counts.',
  ['name'],
  object('Some of the requests.', {
    name: string('What its numbers are told under.', {
      minLength: 1,
      maxLength: 20,
      pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$',
      rules: [
        {
          rule: "!(self in ['stable', 'trial'])",
          message: 'is the name of a side; choose another, as b',
        },
      ],
    }),
    match: object('Which requests they are.', {
      header: map(
        'Headers that a request must have, all of them, by their names in lower case, each with its exact value.',
        string("The header's value.", { minLength: 1, maxLength: 256 }),
        {
          maxProperties: 8,
          rules: [
            {
              rule: 'size(self) > 0',
              message: 'is empty, so it says nothing of a request; name a header and its value, as x-variant: b',
            },
            {
              rule: `self.all(key, key.matches('${HEADER_NAME}'))`,
              message: 'has a key that is no header in lower case; write it as x-variant',
            },
          ],
        },
      ),
    }),
  }),
  { maxItems: 8, optional: true },
);

/** `spec.lifecycle`. */
export const lifecycle = object(
  'How a new version takes over: on trial with a share of the requests. By default it replaces the old one as its pods become ready.',
  {
    canaryWeight: integer('Per cent of the requests that a new version gets while it is on trial; 0 means no trial.', {
      minimum: 0,
      maximum: 100,
      default: 20,
    }),
    successThreshold: number('The least share of requests, from 0 to 1, that a new version must answer well.', {
      minimum: 0,
      maximum: 1,
      default: 0.99,
    }),
    rollbackOnDrift: boolean('A version that falls short is taken back; with false it is only reported.', {
      default: true,
    }),
    steps,
    trial,
    latency,
    drift,
    variants,
    paused: boolean('Numbers are still looked at and said, but nothing is done and no time goes by.', {
      default: false,
    }),
  },
  {
    optional: true,
    rules: [
      {
        rule: 'self.canaryWeight > 0 || !has(self.steps) || size(self.steps) == 0',
        message: 'has steps, but canaryWeight 0 means no trial; remove the steps or canaryWeight',
        fieldPath: '.steps',
      },
      {
        rule: '!has(self.steps) || size(self.steps) == 0 || self.steps.map(step, duration(step.__for__)).sum() < duration(self.trial.deadline)',
        message: 'its steps take as long as trial.deadline or longer; shorten them or make the deadline later',
        fieldPath: '.steps',
      },
      // Not a rule of `trial`: the API server tries that on its default, an empty object, before it fills that in.
      {
        rule: 'duration(self.trial.interval) < duration(self.trial.deadline)',
        message: 'ends before its numbers are looked at once; make deadline longer than interval',
        fieldPath: '.trial.deadline',
      },
    ],
  },
);

/** `spec.sla`. */
export const sla = object(
  'The service level that the stable version is held to. By default none.',
  {
    availability: number('The least share of requests that must be answered well, as 0.999.', {
      rules: [
        {
          rule: 'self > 0.0 && self < 1.0',
          message: 'is no share that can be kept; use a number above 0 and below 1, as 0.999',
        },
      ],
    }),
    window: duration('The time over which it is measured, up to now.', {
      minimum: '1m',
      maximum: '720h',
      default: '1h',
    }),
  },
  { optional: true },
);
