import { expect, test } from 'vitest';
import { defineKind, integer, object, SchemaError, string } from '../../crds/index.js';
import { thing } from './given-kind.js';
import { REFUSALS } from './refusals.js';

test.each(REFUSALS)('%s: %s (%s)', (where, problem, _server, kind) => {
  const problems = problemsOf(kind);
  // One fault is one line: consequences are not listed.
  expect(problems).toHaveLength(1);
  expect(problems[0]?.startsWith(`${where}: `)).toBe(true);
  expect(problems[0]).toContain(problem);
});

test('a SchemaError lists all problems, each with its fix', () => {
  const spec = {
    scaling: object('Replicas.', { maxReplicas: integer('Most.', { minimum: 1, default: 0 }), name: string('') }),
  };
  expect(problemsOf(() => defineKind(thing(spec)))).toEqual([
    'things.example.com v1 spec.scaling.maxReplicas: default: Invalid value: 0: must be at least 1; change the default or the schema',
    'things.example.com v1 spec.scaling.name: must have a description; describe the field',
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
