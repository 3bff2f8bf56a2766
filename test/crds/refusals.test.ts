import { expect, test } from 'vitest';
import { defineKind, integer, object, SchemaError, string } from '../../crds/index.js';
import { REFUSALS, thing } from './refusals.js';

test.each(REFUSALS)('%s: %s (%s)', (where, problem, _server, kind) => {
  const problems = problemsOf(kind);
  // One fault, one line: a reader is not sent after consequences.
  expect(problems).toHaveLength(1);
  expect(problems[0]?.startsWith(`${where}: `)).toBe(true);
  expect(problems[0]).toContain(problem);
});

test('a kind is told all its problems at once, each with what to do', () => {
  const spec = {
    scaling: object('Replicas.', { maxReplicas: integer('Most.', { minimum: 1, default: 0 }), name: string('') }),
  };
  expect(problemsOf(() => defineKind(thing(spec)))).toEqual([
    'things.example.com v1 spec.scaling.maxReplicas: default 0 is less than minimum 1; change the default or the schema',
    'things.example.com v1 spec.scaling.name: has no description; say what it is for',
  ]);
});

function problemsOf(kind: () => unknown): readonly string[] {
  try {
    kind();
  } catch (error) {
    if (error instanceof SchemaError) return error.problems;
    throw error;
  }
  return [];
}
