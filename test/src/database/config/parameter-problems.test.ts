import { describe, expect, test } from 'vitest';
import { knownParameters } from '../../../../src/database/config/known-parameters.js';
import { memoryProblems, parameterProblems } from '../../../../src/database/config/parameter-problems.js';

describe('line 12: PostgreSQL would not start with', () => {
  test.each<readonly [problem: string, name: string, value: string]>([
    [
      'parameters.max_conections: Unknown parameter: PostgreSQL 15 does not have it; correct its name or remove it',
      'max_conections',
      '100',
    ],
    ['parameters.max_connections: Invalid value: "many": must be a number from 1 to 262143', 'max_connections', 'many'],
    ['parameters.max_connections: Invalid value: "": must be a number from 1 to 262143', 'max_connections', ''],
    ['parameters.max_connections: Invalid value: "0": must be from 1 to 262143', 'max_connections', '0'],
    [
      'parameters.max_connections: Invalid value: "9MB": must not have the unit MB; use a number from 1 to 262143',
      'max_connections',
      '9MB',
    ],
    [
      'parameters.work_mem: Invalid value: "4 mb": must not have the unit mb; use a number from 64 to 2147483647 kB',
      'work_mem',
      '4 mb',
    ],
    ['parameters.work_mem: Invalid value: "63kB": must be from 64 to 2147483647 kB', 'work_mem', '63kB'],
    ['parameters.work_mem: Invalid value: "3TB": must be from', 'work_mem', '3TB'],
    ['parameters.work_mem: Invalid value: "1min": must not have the unit min', 'work_mem', '1min'],
    ['parameters.checkpoint_timeout: Invalid value: "29s": must be from 30 to 86400 s', 'checkpoint_timeout', '29s'],
    ['parameters.random_page_cost: Invalid value: "-1": must be from', 'random_page_cost', '-1'],
    ['parameters.autovacuum: Invalid value: "o": must be on or off', 'autovacuum', 'o'],
    ['parameters.autovacuum: Invalid value: "maybe": must be on or off', 'autovacuum', 'maybe'],
    ['parameters.log_statement: Invalid value: "some": must be one of none, ddl, mod, all', 'log_statement', 'some'],
    ['must be one of serializable, repeatable read', 'default_transaction_isolation', 'repeatable'],
    [
      'parameters.log_line_prefix: Invalid value: "%m\\n[%p]": must not have a line break or another control character; write the value on one line',
      'log_line_prefix',
      '%m\n[%p]',
    ],
    ['parameters.search_path: Invalid value: "a\\r": must not have a line break', 'search_path', 'a\r'],
    [
      'parameters.pg_stat_statements.track: Invalid value: "top\\t": must not have a line break',
      'pg_stat_statements.track',
      'top\t',
    ],
    ['parameters.application_name: Invalid value: "\\u0000": must not have a line break', 'application_name', '\0'],
    ['parameters.application_name: Invalid value: "\x7f": must not have a line break', 'application_name', '\x7f'],
    ['parameters.max_connections: Invalid value: "100\\n": must not have a line break', 'max_connections', '100\n'],
    // What it says of itself and cannot be told.
    ['parameters.block_size: Unknown parameter: PostgreSQL 15', 'block_size', '8192'],
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

test.each([
  { value: '8GB', memory: '512Mi', is: 'refused' },
  { value: '512MB', memory: '512Mi', is: 'refused' },
  { value: '65536', memory: '512Mi', is: 'refused' },
  { value: '65535', memory: '512Mi', is: 'accepted' },
  { value: ' 511MB ', memory: '512Mi', is: 'accepted' },
  { value: '8GB', memory: undefined, is: 'refused' },
  { value: '1023MB', memory: undefined, is: 'accepted' },
  { value: undefined, memory: '512Mi', is: 'accepted' },
])('line 22: shared_buffers of $value under a limit of $memory is $is', ({ value, memory, is }) => {
  const parameters: Readonly<Record<string, string>> = value === undefined ? {} : { shared_buffers: value };
  const problems = memoryProblems({ parameters, resources: memory === undefined ? {} : { limits: { memory } } });
  const problem = `parameters.shared_buffers: Invalid value: ${JSON.stringify(value)}: must be less than the memory limit, ${memory ?? '1Gi'}; lower shared_buffers, or raise resources.limits.memory`;
  expect(problems).toEqual(is === 'refused' ? [problem] : []);
});

test("the catalog of PostgreSQL's parameters is read in full", () => {
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
  expect(problem).toContain('must be a number from 1 to 262143');
}, 300_000);
