import type { CertificateResource } from '../../../../imports/index.js';
import type { ResourceGauge } from '../../../runtime/index.js';

type Field = 'notBefore' | 'notAfter' | 'renewalTime';

const gauge = (help: string, field: Field): ResourceGauge<CertificateResource> => ({
  help,
  valueFrom: ({ status }) => {
    const time = status?.[field];
    return time === undefined ? undefined : Date.parse(time) / 1000;
  },
});

/** Metrics of each Certificate. The times have the names that cert-manager uses after its prefix. */
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
    valueFrom: ({ status }: CertificateResource) => {
      const adopted = status?.conditions?.find(({ type }) => type === 'Adopted');
      return adopted && Number(adopted.status === 'True');
    },
  },
};
