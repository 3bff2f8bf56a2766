import { celSeconds, duration, enumeration, integer, number, object, type Rule, secondsOf } from '../schema/index.js';
import { logRules } from './log-rules.js';

/** `spec.health`. */
export const health = object(
  'Observation of the workers. All but `logRules` needs `recovery: InPlace`, because only the Python module reports steps.',
  {
    startWithin: duration('Time from the start of a generation to its first step. Defaults to 10m.', {
      minimum: '10s',
      maximum: '1d',
      default: '10m',
    }),
    stalledAfter: duration('Time without progress after which a worker counts as stalled. Defaults to 60s.', {
      minimum: '5s',
      maximum: '1d',
      default: '60s',
    }),
    nonFiniteLoss: enumeration(
      'Reaction to a loss that is NaN or infinite. `Rollback` loads the newest checkpoint before it, `Fail` ends the job, and `Ignore` continues. Defaults to Rollback.',
      ['Rollback', 'Fail', 'Ignore'],
      { default: 'Rollback' },
    ),
    straggler: object(
      'Workers that compute longer than the others, for example because a device is throttled.',
      {
        factor: number(
          'Time of computation, as a multiple of the median of all ranks, above which a worker is slow. Defaults to 1.5.',
          { minimum: 1.1, maximum: 100, default: 1.5 },
        ),
        steps: integer('Number of steps for which it must be slow. Defaults to 20.', {
          minimum: 1,
          maximum: 1_000_000,
          default: 20,
        }),
        action: enumeration(
          'Reaction. `Tell` reports the worker and its node, and `Replace` also replaces its Pod, as a fault. Defaults to Tell.',
          ['Tell', 'Replace'],
          { default: 'Tell' },
        ),
      },
      { default: {} },
    ),
    logRules,
  },
  { default: {} },
);

/** `spec.gang`. */
export const gang = object(
  'Start of the workers together.',
  {
    timeout: duration(
      'Time within which all workers must have a node after they are released to the scheduler. After it, all give their nodes back and wait again. Defaults to 10m.',
      { minimum: '10s', maximum: '1d', default: '10m' },
    ),
  },
  { default: {} },
);

const WINDOW: Rule = {
  // The API server checks the default of the object before it adds the defaults of its fields.
  rule: '(has(self.perWindow) ? self.perWindow : 3) + (has(self.fullPerWindow) ? self.fullPerWindow : 1) <= 1000',
  message: 'must allow at most 1000 restarts in a window; lower perWindow or fullPerWindow',
  messageExpression:
    "'perWindow and fullPerWindow are %d and %d: they must allow at most 1000 restarts in a window; lower one of them'.format([self.perWindow, self.fullPerWindow])",
  holds: ({ perWindow = 3, fullPerWindow = 1 }: { readonly perWindow?: number; readonly fullPerWindow?: number }) =>
    perWindow + fullPerWindow <= 1000,
};

const BACKOFF_FITS: Rule = {
  // As above, without the defaults.
  rule: `(has(self.backoff) ? ${celSeconds('self.backoff')} : 10) <= (has(self.max) ? ${celSeconds('self.max')} : 600)`,
  message: 'must be at most max; lower backoff, or raise max',
  messageExpression:
    "'backoff %s must be at most max %s; lower backoff, or raise max'.format([self.backoff, self.max])",
  fieldPath: '.backoff',
  holds: ({ backoff = '10s', max = '10m' }: { readonly backoff?: string; readonly max?: string }) =>
    secondsOf(backoff) <= secondsOf(max),
};

/** `spec.restarts`. */
export const restarts = object(
  'Limits of restarts, after which the job has failed.',
  {
    perWindow: integer('Number of faults in a window that are repaired one by one. Defaults to 3.', {
      minimum: 0,
      maximum: 1_000,
      default: 3,
    }),
    fullPerWindow: integer('Number of restarts of all workers in a window, after `perWindow` faults. Defaults to 1.', {
      minimum: 0,
      maximum: 1_000,
      default: 1,
    }),
    window: duration('Length of a window, which begins with its first fault. Defaults to 6h.', {
      minimum: '1m',
      maximum: '90d',
      default: '6h',
    }),
    avoidNodeAfter: integer(
      'Number of faults on a node among the last 20 faults, after which new workers avoid the node. Defaults to 2.',
      { minimum: 1, maximum: 20, default: 2 },
    ),
    spike: object(
      'Pause before a restart after a loss that is not finite, or after values that break a rule of `health.logRules` with `metricThreshold`. The first such restart in a window does not wait.',
      {
        backoff: duration(
          'Pause before the second such restart. Each further one doubles it. With `0s`, none waits. Defaults to 10s.',
          { minimum: '0s', maximum: '1d', default: '10s' },
        ),
        max: duration('Longest pause. Defaults to 10m.', { minimum: '0s', maximum: '1d', default: '10m' }),
      },
      { default: {}, rules: [BACKOFF_FITS] },
    ),
  },
  { default: {}, rules: [WINDOW] },
);
