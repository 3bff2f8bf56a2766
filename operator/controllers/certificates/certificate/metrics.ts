import type { CertificateResource } from '../../../../imports/index.js';
import { conditionOf, type ResourceGauge } from '../../../runtime/index.js';
import type { conditions } from './conditions.js';

type Field = 'notBefore' | 'notAfter' | 'renewalTime';

const gauge = (help: string, field: Field): ResourceGauge<CertificateResource> => ({
  help,
  valueFrom: ({ status }) => {
    const time = status?.[field];
    return time === undefined ? undefined : Date.parse(time) / 1000;
  },
});

/** Metrics of single Certificates. Those of cert-manager have its names after the prefix. */
export const metrics = {
  reconstruct_certificate_expiration_timestamp_seconds: gauge(
    'End of the validity of a certificate, in seconds since 1970.',
    'notAfter',
  ),
  reconstruct_certificate_not_before_timestamp_seconds: gauge(
    'Start of the validity of a certificate, in seconds since 1970.',
    'notBefore',
  ),
  reconstruct_certificate_renewal_timestamp_seconds: gauge(
    'Time at which a certificate is renewed, in seconds since 1970.',
    'renewalTime',
  ),
  reconstruct_certificate_adopted: {
    help: '1 if each consumer uses the certificate, 0 otherwise. Absent without consumers.',
    valueFrom: (resource: CertificateResource) => {
      const adopted = conditionOf<typeof conditions>(resource, 'Adopted');
      return adopted && Number(adopted.status === 'True');
    },
  },
  reconstruct_certificate_ready_status: {
    help: '1 for the present status of the condition Ready, 0 for the others.',
    label: 'condition',
    valueFrom: (resource: CertificateResource) => {
      const ready = conditionOf(resource, 'Ready')?.status ?? 'Unknown';
      return Object.fromEntries(['True', 'False', 'Unknown'].map((one) => [one, Number(one === ready)]));
    },
  },
  reconstruct_certificate_consumers: {
    help: 'Consumers that were seen with the certificate, and those that were not. Absent without consumers.',
    label: 'state',
    valueFrom: ({ status }: CertificateResource) => {
      const [current, all] = (status?.consumers ?? '').split('/').map(Number);
      return current === undefined || all === undefined ? undefined : { current, waiting: all - current };
    },
  },
};
