import { expect, test } from 'vitest';
import type { CertificateResource } from '../../../../imports/index.js';
import { metrics } from '../../../../operator/controllers/certificates/certificate/metrics.js';
import { givenCertificate } from './given-certificates.js';

const certificate = (status?: object) => ({ ...givenCertificate(), status }) as unknown as CertificateResource;
const ready = (status: string) => ({ conditions: [{ type: 'Ready', status, reason: '', message: '' }] });

test.each([
  ['is issued', ready('True'), { True: 1, False: 0, Unknown: 0 }],
  ['cannot be issued', ready('False'), { True: 0, False: 1, Unknown: 0 }],
  ['is being issued', ready('Unknown'), { True: 0, False: 0, Unknown: 1 }],
  ['is new', undefined, { True: 0, False: 0, Unknown: 1 }],
])('the ready status of a certificate that %s', (_, status, expected) => {
  expect(metrics.reconstruct_certificate_ready_status.valueFrom(certificate(status))).toEqual(expected);
});

test.each([
  ['has none', {}, undefined],
  ['waits for one', { consumers: '2/3' }, { current: 2, waiting: 1 }],
  ['has all', { consumers: '3/3' }, { current: 3, waiting: 0 }],
])('the consumers of a certificate that %s', (_, status, expected) => {
  expect(metrics.reconstruct_certificate_consumers.valueFrom(certificate(status))).toEqual(expected);
});
