import type { Dashboard } from '../dashboards/dashboard.js';
import { byReason, ofEach, orZero, RESOURCE, resourcesWith } from '../dashboards/queries.js';

/** Certificates, their issuers, TrustBundles, and rotated secrets. */
export const dashboard: Dashboard = {
  file: 'certificates',
  uid: 'reconstruct-certificates',
  title: 'Certificates',
  namespacesOf: [
    'reconstruct_certificate_expiration_timestamp_seconds',
    'reconstruct_secret_rotation_timestamp_seconds',
  ],
  stats: [
    {
      title: 'Expired certificates',
      query: orZero(`count(${ofEach('reconstruct_certificate_expiration_timestamp_seconds')} < time())`),
    },
    {
      title: 'Certificates due for renewal',
      description: 'Certificates whose renewal time is over. Each is for some seconds.',
      query: orZero(`count(${ofEach('reconstruct_certificate_renewal_timestamp_seconds')} < time())`),
    },
    {
      title: 'Certificates with outdated consumers',
      description: 'A consumer does not use the current certificate.',
      query: orZero(`sum(${ofEach('reconstruct_certificate_adopted')} == bool 0)`),
    },
    {
      title: 'Unavailable issuers',
      description: 'Issuers and ClusterIssuers that cannot issue certificates.',
      query: resourcesWith(
        'controller=~"issuer|clusterissuer", condition="Available", status="False"',
        'controller, reason',
      ),
    },
  ],
  graphs: [
    {
      title: 'Time until expiry',
      unit: 's',
      signed: true,
      queries: { [RESOURCE]: `${ofEach('reconstruct_certificate_expiration_timestamp_seconds')} - time()` },
    },
    {
      title: 'Time until renewal',
      description: 'Negative while a renewal is overdue.',
      unit: 's',
      signed: true,
      queries: { [RESOURCE]: `${ofEach('reconstruct_certificate_renewal_timestamp_seconds')} - time()` },
    },
    byReason('Certificates by UpToDate condition', 'controller="certificate", condition="UpToDate"'),
    {
      title: 'Issuers by condition',
      unit: 'short',
      queries: {
        '{{controller}} {{condition}} {{status}} {{reason}}':
          'max by (controller, condition, status, reason) (reconstruct_resources{controller=~"issuer|clusterissuer", condition=~"Available|RolledOver"})',
      },
    },
    {
      title: 'Issuance requests per minute',
      description: 'Questions and calls to certificate authorities and ACME servers, by outcome.',
      unit: 'short',
      queries: {
        '{{port}} {{result}}':
          '60 * sum by (port, result) (rate(reconstruct_polls_total{controller="certificate"}[5m]))',
        '{{port}} {{outcome}}':
          '60 * sum by (port, outcome) (rate(reconstruct_external_calls_total{controller="certificate"}[5m]))',
      },
    },
    byReason('TrustBundles by Synced condition', 'controller="trustbundle", condition="Synced"'),
    {
      title: 'Time until the next rotation',
      description: 'Negative while a rotation is overdue.',
      unit: 's',
      signed: true,
      queries: { [RESOURCE]: `${ofEach('reconstruct_secret_rotation_next_timestamp_seconds')} - time()` },
    },
    {
      title: 'Rotations with outdated consumers',
      description: '1 while a consumer does not use the current credential.',
      unit: 'short',
      queries: { [RESOURCE]: `${ofEach('reconstruct_secret_rotation_adopted')} == bool 0` },
    },
    byReason('SecretRotations by Rotated condition', 'controller="secretrotation", condition="Rotated"'),
    byReason('Earlier logins by Retired condition', 'controller="secretrotation", condition="Retired"'),
  ],
};
