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

/** Header names that RFC 9110 allows, in lower case. The match with a request ignores case. */
const HEADER_NAME = '^[a-z0-9!#$%&*+.^_|~-]{1,256}$';

const steps = list(
  'Steps of a trial, each with a percentage of the requests. Defaults to one step of `canaryWeight`, which lasts until the version is judged.',
  object('Step of a trial.', {
    weight: integer('Percentage of requests sent to the new version during this step.', { minimum: 1, maximum: 100 }),
    for: duration(
      'Minimum duration of this step. The step continues until the version is proved good at this weight. Defaults to 0s.',
      {
        minimum: '0s',
        maximum: '168h',
        default: '0s',
      },
    ),
  }),
  {
    maxItems: 16,
    optional: true,
    rules: [
      {
        rule: 'self.map(step, step.weight).isSorted()',
        message: 'must have weights in ascending order; sort the steps by weight',
        messageExpression:
          "'the weights %s must be in ascending order; sort the steps by weight'.format([self.map(step, step.weight)])",
      },
    ],
  },
);

const trial = object(
  'Limits for the judgement of a new version.',
  {
    interval: duration('Interval between two checks of the metrics. Defaults to 10s.', {
      minimum: '1s',
      maximum: '1h',
      default: '10s',
    }),
    minRequests: integer('Number of requests that a version must answer before it is first judged. Defaults to 200.', {
      minimum: 1,
      maximum: 1_000_000_000,
      default: 200,
    }),
    failureLimit: integer('Number of bad verdicts in the whole trial that roll a version back. Defaults to 2.', {
      minimum: 1,
      maximum: 100,
      default: 2,
    }),
    errorLimit: integer(
      'Number of consecutive intervals without metrics after which the condition `Promoted` reports the gap. Defaults to 5.',
      {
        minimum: 1,
        maximum: 1000,
        default: 5,
      },
    ),
    deadline: duration(
      'Time after which a version that is not promoted is rolled back. Pauses do not count. Defaults to 30m.',
      {
        minimum: '10s',
        maximum: '168h',
        default: '30m',
      },
    ),
    bake: duration(
      'Time after the promotion during which a bad metric still restores the previous version. Defaults to 10m.',
      {
        minimum: '0s',
        maximum: '168h',
        default: '10m',
      },
    ),
  },
  {
    default: {},
  },
);

const latency = object(
  'Judgement of the latency of requests against `scaling.targetLatencyMs`. By default the latency is not judged.',
  {
    percentile: integer('Percentage of requests that must be answered within the target. Defaults to 95.', {
      default: 95,
      rules: [
        {
          rule: 'self >= 50 && self <= 99',
          message: 'must be a whole number from 50 to 99, such as 95',
        },
      ],
    }),
  },
  { optional: true },
);

const drift = object(
  'Judgement of the distance between the answers of a new version and those of the stable version. By default drift is not judged.',
  {
    metric: string('Name of a histogram that the Pods expose, such as `prediction_score`.', {
      minLength: 1,
      maxLength: 256,
      pattern: '^[a-zA-Z_:][a-zA-Z0-9_:]*$',
    }),
    method: enumeration(
      'Measure of the distance: `PSI` is the population stability index, and `KS` is the Kolmogorov-Smirnov distance. Defaults to PSI.',
      ['PSI', 'KS'],
      { default: 'PSI' },
    ),
    threshold: number('Maximum distance that counts as good. Defaults to 0.2.', {
      minimum: 0,
      maximum: 100,
      default: 0.2,
      rules: [
        {
          rule: 'self > 0.0',
          message: 'must be above 0, because no two samples are at distance 0; use a distance such as 0.2',
        },
      ],
    }),
  },
  { optional: true },
);

const variants = keyedList(
  'Groups of requests that always reach the version on trial while there is one, regardless of its weight. If a request matches several groups, the first one applies. Defaults to none.',
  ['name'],
  object('Group of requests that always reach the version on trial.', {
    name: string('Name of the variant, under which its metrics are reported.', {
      minLength: 1,
      maxLength: 20,
      pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$',
      rules: [
        {
          rule: "!(self in ['stable', 'trial'])",
          message: 'must not be stable or trial, which name the two versions; choose another name, such as b',
        },
      ],
    }),
    match: object('Condition that a request must meet.', {
      header: map(
        'Headers that a request must have, all of them. Each key is the name of a header in lower case, and each value is its exact value.',
        string('Value of the header.', { minLength: 1, maxLength: 256 }),
        {
          maxProperties: 8,
          rules: [
            {
              rule: 'size(self) > 0',
              message: 'must have at least one header; add one with its value, such as x-variant: b',
            },
            {
              rule: `self.all(key, key.matches('${HEADER_NAME}'))`,
              message: 'must have header names in lower case as keys, such as x-variant',
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
  'Trials of new versions with a percentage of the requests. By default a new version replaces the old one as its Pods become ready.',
  {
    canaryWeight: integer(
      'Percentage of requests sent to a new version during its trial. 0 disables trials. Defaults to 20.',
      {
        minimum: 0,
        maximum: 100,
        default: 20,
      },
    ),
    successThreshold: number(
      'Minimum fraction of requests, from 0 to 1, that a new version must answer successfully. Defaults to 0.99.',
      {
        minimum: 0,
        maximum: 1,
        default: 0.99,
      },
    ),
    rollbackOnDrift: boolean(
      'Whether a version that falls short is rolled back. If false, the operator only reports it. Defaults to true.',
      {
        default: true,
      },
    ),
    steps,
    trial,
    latency,
    drift,
    variants,
    paused: boolean(
      'Whether the trial is paused. The operator still checks and reports the metrics of a paused trial, but takes no action and counts no time. Defaults to false.',
      {
        default: false,
      },
    ),
  },
  {
    optional: true,
    rules: [
      {
        rule: 'self.canaryWeight > 0 || !has(self.steps) || size(self.steps) == 0',
        message: 'must be empty if canaryWeight is 0, because there is no trial; remove steps or canaryWeight',
        fieldPath: '.steps',
      },
      {
        rule: '!has(self.steps) || size(self.steps) == 0 || self.steps.map(step, duration(step.__for__)).sum() < duration(self.trial.deadline)',
        message: 'must take less time in total than trial.deadline; shorten the steps or raise trial.deadline',
        fieldPath: '.steps',
      },
      // Not a rule of `trial`: the API server checks such a rule on the default of `trial`, an empty object, before it
      // fills in the fields of that object.
      {
        rule: 'duration(self.trial.interval) < duration(self.trial.deadline)',
        message:
          'must be longer than trial.interval, so that the metrics are checked at least once; raise trial.deadline or lower trial.interval',
        fieldPath: '.trial.deadline',
      },
    ],
  },
);

/** `spec.sla`. */
export const sla = object(
  'Service level objective of the stable version. Defaults to none.',
  {
    availability: number(
      'Minimum fraction of requests that must be answered successfully, above 0 and below 1, such as 0.999.',
      {
        rules: [
          {
            rule: 'self > 0.0 && self < 1.0',
            message: 'must be above 0 and below 1, such as 0.999',
          },
        ],
      },
    ),
    window: duration('Time up to now over which the availability is measured. Defaults to 1h.', {
      minimum: '1m',
      maximum: '720h',
      default: '1h',
    }),
  },
  { optional: true },
);
