import { expect, test } from 'vitest';
import { tableLines } from '../../../../cli/status/report-lines.js';
import { statusTables as certificateTables } from '../../../../operator/controllers/certificates/certificate/status-tables.js';
import { statusTables as issuerTables } from '../../../../operator/controllers/certificates/issuer/status-tables.js';
import { statusTables as bundleTables } from '../../../../operator/controllers/certificates/trust-bundle/status-tables.js';
import type { StatusTables } from '../../../../operator/runtime/index.js';
import { now } from '../../../cli/status/given-conditions.js';

const times = { notAfter: '2030-03-31T00:00:00Z', renewalTime: '2030-03-01T00:00:00Z' };
const lines = (tables: unknown, resource: object) =>
  (tables as StatusTables)({ resource: resource as never, objects: [], now }).flatMap(tableLines);

test.each([
  { shown: 'ACME          -        -', spec: { acme: {} }, status: {} },
  { shown: 'generated CA  in 89d   in 59d', spec: { ca: { commonName: 'CA' } }, status: times },
  { shown: 'own CA        in 89d   -', spec: { ca: { secretName: 'ca' } }, status: { notAfter: times.notAfter } },
])('the table of an issuer has its type and its validity: $shown', ({ shown, spec, status }) => {
  const row = lines(issuerTables, { spec, status })[1] ?? '';
  expect(row.split(/ {2,}/)).toEqual(shown.split(/ {2,}/));
});

test('the table of a Certificate has its validity, its consumers and its issuer', () => {
  const spec = { issuer: { name: 'internal', kind: 'Issuer' } };
  expect(lines(certificateTables, { spec, status: { ...times, consumers: '2/2' } })).toEqual([
    'EXPIRES  RENEWS  CONSUMERS  ISSUER',
    'in 89d   in 59d  2/2        Issuer/internal',
  ]);
  expect(lines(certificateTables, { spec })[1]).toBe('-        -       -          Issuer/internal');
});

test('the table of a TrustBundle has its counts and its first expiry', () => {
  expect(lines(bundleTables, { status: { certificates: 2, namespaces: 5, notAfter: times.notAfter } })).toEqual([
    'CERTIFICATES  NAMESPACES  EXPIRES',
    '2             5           in 89d',
  ]);
});
