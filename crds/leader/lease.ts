import { celSeconds, duration, integer, object, type Rule, secondsOf, string } from '../schema/index.js';

interface Times {
  readonly leaseDuration?: string;
  readonly renewDeadline?: string;
  readonly retryPeriod?: string;
}

const STOPS_IN_TIME: Rule = {
  // The API server also checks the default of the object, before the fields have theirs.
  rule: `!has(self.renewDeadline) || !has(self.leaseDuration) || ${celSeconds('self.renewDeadline')} < ${celSeconds('self.leaseDuration')}`,
  message: 'must be less than leaseDuration; lower renewDeadline, or raise leaseDuration',
  messageExpression:
    "'renewDeadline %s must be less than leaseDuration %s; lower renewDeadline, or raise leaseDuration'.format([self.renewDeadline, self.leaseDuration])",
  fieldPath: '.renewDeadline',
  holds: ({ leaseDuration = '15s', renewDeadline = '10s' }: Times) =>
    secondsOf(renewDeadline) < secondsOf(leaseDuration),
};

const TRIES_TWICE: Rule = {
  rule: `!has(self.retryPeriod) || !has(self.renewDeadline) || ${celSeconds('self.retryPeriod')} * 2 <= ${celSeconds('self.renewDeadline')}`,
  message: 'must be at most half of renewDeadline, so that one lost response ends no term; lower retryPeriod',
  messageExpression:
    "'retryPeriod %s must be at most half of renewDeadline %s, so that one lost response ends no term; lower retryPeriod'.format([self.retryPeriod, self.renewDeadline])",
  fieldPath: '.retryPeriod',
  holds: ({ retryPeriod = '2s', renewDeadline = '10s' }: Times) =>
    secondsOf(retryPeriod) * 2 <= secondsOf(renewDeadline),
};

/** `spec.lease`. */
export const lease = object(
  'Times of the Lease. They have the names and the defaults of client-go.',
  {
    leaseDuration: duration('Time without a renewal after which another candidate can lead. Defaults to 15s.', {
      minimum: '3s',
      maximum: '10m',
      default: '15s',
    }),
    renewDeadline: duration('Time without a renewal after which the leader stops. Defaults to 10s.', {
      minimum: '2s',
      maximum: '10m',
      default: '10s',
    }),
    retryPeriod: duration('Time between two renewals. Defaults to 2s.', {
      minimum: '1s',
      maximum: '1m',
      default: '2s',
    }),
  },
  { default: {}, rules: [STOPS_IN_TIME, TRIES_TWICE] },
);

/** `spec.prefer`. */
export const prefer = object(
  'Preference among candidates that have the same data.',
  {
    zone: string('Zone of the nodes, by the label `topology.kubernetes.io/zone`. Defaults to none.', {
      minLength: 1,
      maxLength: 63,
      optional: true,
    }),
    minTenure: duration('Least time that a leader leads before a preference moves it. Defaults to 5m.', {
      minimum: '10s',
      maximum: '30d',
      default: '5m',
    }),
  },
  { default: {} },
);

/** `spec.safety`. */
export const safety = object(
  'Replicas that a write of Redis needs. Other applications ignore it.',
  {
    minReplicas: integer(
      'Number of replicas without which the leader refuses writes. A write that `WAIT` confirmed on this many replicas survives the loss of the leader. With 0, a failover can lose confirmed writes. Defaults to 1.',
      { minimum: 0, maximum: 15, default: 1 },
    ),
    maxLag: duration('Time since the last answer of a replica after which it no longer counts. Defaults to 2s.', {
      minimum: '2s',
      maximum: '5m',
      default: '2s',
    }),
  },
  { default: {} },
);
