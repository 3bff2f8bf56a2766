import { expect, test } from 'vitest';
import { refusalTables } from '../../../cli/pages/refusal-tables.js';
import { refusalsIn, refusalsOf } from '../../../cli/pages/refusals.js';
import { kinds } from '../../../crds/index.js';

const refusals = (name: string) => kinds.filter(({ kind }) => kind === name).flatMap(refusalsOf);

test.each([
  {
    of: 'a text',
    kind: 'Database',
    message: 'must have exactly one location; set volume or s3',
    path: 'spec.backup.target',
  },
  {
    of: 'a text with values',
    kind: 'Database',
    message:
      'replicas … must leave at least … beside the primary to confirm commits; raise replicas, lower synchronous.replicas, or set synchronous.mode to None',
    path: 'spec.replicas',
  },
  {
    of: 'a sum of texts and values, which have texts and sums of their own',
    kind: 'TrainingJob',
    message: '… of … must be at most the limit, which is …; lower the request or raise the limit',
    path: 'spec.resources.requests',
  },
  {
    of: 'an item of a list',
    kind: 'Algorithm',
    message: 'must have at least one header; add one with its value, such as x-variant: b',
    path: 'spec.lifecycle.variants[].match.header',
  },
  {
    of: 'a value of a map',
    kind: 'TrainingJob',
    message: 'must be an amount, such as 4, 500m or 16Gi',
    path: 'spec.resources.limits.*',
  },
  {
    of: 'the resource as a whole',
    kind: 'KafkaCluster',
    message:
      'must have a name that its Pods can have; use up to 32 lower-case letters, digits and -, starting with a letter',
    path: '',
  },
])('a refusal has the message and the path of $of', ({ kind, message, path }) => {
  expect(refusals(kind)).toContainEqual({ message, path });
});

test.each([
  { expression: "'at most ' + string(self.most + 1) + ', a + b'", message: 'at most …, a + b' },
  { expression: "string(self.items[self.first + 1]) + ' of ' + self.name", message: '… of …' },
  { expression: "'%s of %d'.format([self.a, self.b])", message: '… of …' },
])('the message of $expression is $message', ({ expression: messageExpression, message }) => {
  const schema = { 'x-kubernetes-validations': [{ rule: 'true', message: 'unused', messageExpression }] };
  expect(refusalsIn(schema, 'spec')).toEqual([{ message, path: 'spec' }]);
});

const { refusals: table = () => [] } = refusalTables(kinds, kinds);

test('a message is in one row, with each field that has it', () => {
  const rows = table(['SecretRotation']).filter((row) => row.includes('is immutable'));
  expect(rows).toEqual([
    expect.stringMatching(/^\| is immutable; .* \| `spec.secretName`, `spec.source.database.name`, .* \|$/),
  ]);
});

test('a message about the resource as a whole names its kind', () => {
  expect(table(['SecretRotation']).find((row) => row.includes('must have a name'))).toMatch(
    /\| the SecretRotation \|$/,
  );
});

test('a pipe in a message ends no cell', () => {
  expect(table(['TrainingJob']).find((row) => row.includes('regular expression'))).toContain('? \\| ^');
});

test('settings of Pods are in a table of their own, with the kinds that refuse them', () => {
  expect(table(['Database']).join('\n')).not.toContain('podTemplate');
  const shared = table(['podTemplate']);
  expect(shared.find((row) => row.includes('Patroni needs the rights'))).toMatch(
    /\| `serviceAccountName` \| Database \|$/,
  );
  expect(shared.find((row) => row.includes('secretKeyRef, configMapKeyRef'))).toMatch(/\| `env` \| all \|$/);
});

test('a kind that does not exist is an error', () => {
  expect(() => table(['Shop'])).toThrow('no kind Shop: correct the comment in docs/');
});
