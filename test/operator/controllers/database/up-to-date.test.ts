import { describe, expect, test } from 'vitest';
import { assess } from '../../../../operator/controllers/database/assess.js';
import { knownSecrets } from '../../../../operator/controllers/database/secrets.js';
import type { LiveSecret } from '../../../../operator/runtime/index.js';
import { passwordMarks } from '../../../../src/index.js';
import { live } from '../../../given.js';
import { type Changes, databaseView } from './given-view.js';

const marksOf = (secrets: readonly LiveSecret[]) => {
  const { passwords, certified } = knownSecrets('orders', secrets);
  return certified && passwordMarks(passwords, certified.server);
};

describe('what is said of parameters and passwords', () => {
  test('line 22: names the parameters that PostgreSQL refuses, the instances, and why', () => {
    const timezone = 'invalid value for parameter "TimeZone": "Nowhere/X"';
    const reports = {
      'orders-1': { refused: { timezone } },
      'orders-3': {
        refused: { timezone, work_mem: 'postgresql.auto.conf overrides it; run ALTER SYSTEM RESET work_mem' },
      },
    };
    expect(assess(databaseView({ reports })).conditions.UpToDate).toEqual({
      reason: 'ParameterRefused',
      message:
        'orders-1, orders-3 refused parameter timezone: invalid value for parameter "TimeZone": "Nowhere/X"; orders-3 refused parameter work_mem: postgresql.auto.conf overrides it; run ALTER SYSTEM RESET work_mem; correct or remove it in spec.parameters',
    });
  });

  const data = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]));
  const held = (name: string, texts: Readonly<Record<string, string>>): LiveSecret =>
    live({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'shop' }, data: data(texts) });
  const secrets = [
    held('orders-superuser', { username: 'postgres', password: 'super' }),
    held('orders-app', { password: 'application', 'ca.crt': 'AUTHORITY' }),
    held('orders-internal', { 'replication-password': 'replication', 'rewind-password': 'rewind' }),
    held('orders-tls', { 'tls.crt': 'SERVER', 'tls.key': 'KEY', 'ca.crt': 'AUTHORITY' }),
  ];
  const marks = marksOf(secrets);
  const credentials = { certificate: '', applied: {}, ...marks };
  const but = (changes: object) => ({ credentials: { ...credentials, ...changes } });
  const stale = { applied: { ...credentials.applied, app: '0', internal: '0' } };

  test.each<{ is: string; when: string; reports: Changes['reports'] }>([
    { is: 'UpToDate', when: 'every instance uses them', reports: { 'orders-1': but({}), 'orders-2': but({}) } },
    { is: 'UpToDate', when: 'an older image does not report them', reports: {} },
    {
      is: 'UpToDate',
      when: 'the certificate is being renewed',
      reports: { 'orders-1': but({ ...stale, certificate: 'earlier' }) },
    },
    {
      is: 'ApplyingPasswords: Waiting for orders-1, orders-2 to apply the passwords of orders-app, orders-internal, which takes up to two minutes',
      when: 'two are behind',
      reports: { 'orders-1': but(stale), 'orders-2': but(stale), 'orders-3': but({}) },
    },
    {
      is: 'PasswordNotApplied: orders-1: role app does not exist',
      when: 'the primary cannot set one',
      reports: { 'orders-1': but({ ...stale, problem: 'role app does not exist' }), 'orders-2': but(stale) },
    },
  ])('line 18: is about the passwords of the Secrets: $is, when $when', ({ is, reports }) => {
    const mark = assess(databaseView({ secrets, reports })).conditions.UpToDate;
    expect([mark?.reason, mark?.message].filter((part) => part !== undefined).join(': ')).toBe(is);
  });

  test('line 18: says nothing of passwords that no Secret has', () => {
    const [, ...others] = secrets;
    expect(assess(databaseView({ secrets: others, reports: { 'orders-1': but(stale) } })).conditions.UpToDate).toEqual({
      reason: 'UpToDate',
    });
  });

  test('line 18: marks cannot be made of passwords alone', () => {
    const [superuser, app, internal] = secrets;
    const rekeyed = held('orders-tls', { 'tls.crt': 'SERVER', 'tls.key': 'ANOTHER', 'ca.crt': 'AUTHORITY' });
    const other = marksOf([superuser, app, internal, rekeyed].flatMap((one) => one ?? []));
    expect(Object.values(other?.applied ?? {})).toHaveLength(3);
    expect(
      Object.values(other?.applied ?? {}).filter((mark) => Object.values(credentials.applied).includes(mark)),
    ).toEqual([]);
  });
});
