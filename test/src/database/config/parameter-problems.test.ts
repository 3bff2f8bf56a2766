import { describe, expect, test } from 'vitest';
import { knownParameters } from '../../../../src/database/config/known-parameters.js';
import { parameterProblems } from '../../../../src/database/config/parameter-problems.js';

describe('line 12: PostgreSQL would not start with', () => {
  test.each<readonly [problem: string, name: string, value: string]>([
    [
      'parameters.max_conections is unknown to PostgreSQL 15; correct its name or leave it out',
      'max_conections',
      '100',
    ],
    ['parameters.max_connections "many" is no number; use 1 to 262143', 'max_connections', 'many'],
    ['parameters.max_connections "" is no number; use 1 to 262143', 'max_connections', ''],
    ['parameters.max_connections "0" is out of range; use 1 to 262143', 'max_connections', '0'],
    [
      'parameters.max_connections "9MB" has the unit MB, which it does not take; use 1 to 262143',
      'max_connections',
      '9MB',
    ],
    ['parameters.work_mem "4 mb" has the unit mb, which it does not take; use 64 to 2147483647 kB', 'work_mem', '4 mb'],
    ['parameters.work_mem "63kB" is out of range; use 64 to 2147483647 kB', 'work_mem', '63kB'],
    ['parameters.work_mem "3TB" is out of range', 'work_mem', '3TB'],
    ['parameters.work_mem "1min" has the unit min, which it does not take', 'work_mem', '1min'],
    ['parameters.checkpoint_timeout "29s" is out of range; use 30 to 86400 s', 'checkpoint_timeout', '29s'],
    ['parameters.random_page_cost "-1" is out of range', 'random_page_cost', '-1'],
    ['parameters.autovacuum "o" is neither on nor off; use one of them', 'autovacuum', 'o'],
    ['parameters.autovacuum "maybe" is neither on nor off', 'autovacuum', 'maybe'],
    ['parameters.log_statement "some" is none of none, ddl, mod, all; use one of them', 'log_statement', 'some'],
    ['is none of serializable, repeatable read', 'default_transaction_isolation', 'repeatable'],
    [
      'parameters.log_line_prefix "%m\\n[%p]" has a line break or another control character; write it on one line, without any',
      'log_line_prefix',
      '%m\n[%p]',
    ],
    ['parameters.search_path "a\\r" has a line break', 'search_path', 'a\r'],
    ['parameters.pg_stat_statements.track "top\\t" has a line break', 'pg_stat_statements.track', 'top\t'],
    ['parameters.application_name "\\u0000" has a line break', 'application_name', '\0'],
    ['parameters.application_name "\x7f" has a line break', 'application_name', '\x7f'],
    ['parameters.max_connections "100\\n" has a line break', 'max_connections', '100\n'],
    // What it says of itself and cannot be told.
    ['parameters.block_size is unknown to PostgreSQL 15', 'block_size', '8192'],
  ])('%s', (problem, name, value) => {
    expect(parameterProblems({ [name]: value })).toEqual([expect.stringContaining(problem)]);
  });
});

test.each([
  ['max_connections', '100'],
  ['max_connections', ' 0x64 '],
  ['work_mem', '4096'],
  ['work_mem', '4MB'],
  ['work_mem', '0.5 GB'],
  ['shared_buffers', '128MB'],
  ['checkpoint_timeout', '15min'],
  ['checkpoint_timeout', '1d'],
  ['log_min_duration_statement', '-1'],
  ['autovacuum_vacuum_cost_delay', '2.5ms'],
  ['random_page_cost', '1.1e0'],
  ['random_page_cost', '2.'],
  ['random_page_cost', '.5e1'],
  ['autovacuum', 'ON'],
  ['autovacuum', 'f'],
  ['backslash_quote', 'true'],
  ['log_statement', 'DDL'],
  ['default_transaction_isolation', 'repeatable read'],
  ['timezone', 'Europe/Zurich'],
  ['search_path', '"$user", public'],
  ['pg_stat_statements.max', '1000'],
  ['application_name', 'ein größerer Wert ~'],
])('PostgreSQL starts with %s = %j', (name, value) => {
  expect(parameterProblems({ [name]: value })).toEqual([]);
});

test('what PostgreSQL tells of its parameters is read in full', () => {
  expect(knownParameters.size).toBe(334);
  expect(knownParameters.get('wal_level')).toEqual({ type: 'one', of: ['minimal', 'replica', 'logical'] });
  expect(knownParameters.get('shared_buffers')).toEqual({
    type: 'integer',
    unit: '8kB',
    least: 16,
    most: 1_073_741_823,
  });
  const limits = [...knownParameters.values()].flatMap((one) => ('unit' in one ? [one.least, one.most] : []));
  expect(limits.filter(Number.isNaN)).toEqual([]);
});

test('R34 a value of very many digits that is no number is refused soon', () => {
  const [problem] = parameterProblems({ max_connections: `${'1'.repeat(200_000)}!` });
  expect(problem).toContain('is no number; use 1 to 262143');
}, 20_000);
