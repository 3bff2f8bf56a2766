import { describe, expect, it } from 'vitest';
import { sparkJobSpec } from '../../crds/index.js';
import { defaulted } from '../../crds/schema/defaults.js';
import { valueProblems } from '../../crds/schema/value-problems.js';
import { sparkProblems } from '../../src/spark/checks.js';
import { ACCEPTED_SPARK, leastSpark, REFUSED_SPARK } from './refused-spark.js';

const problems = (spec: object) => {
  const full = defaulted({ ...leastSpark, ...spec }, sparkJobSpec.json);
  return valueProblems(sparkJobSpec.json, full, 'spec');
};
const pathOf = (problem: string) => problem.split(': ')[0];

describe('without an API server, cdk8s synth', () => {
  it.each(ACCEPTED_SPARK)('accepts the SparkJob %j', (spec) => {
    expect(problems(spec)).toEqual([]);
  });

  it.each(REFUSED_SPARK)('refuses the SparkJob %j at %s', (spec, field) => {
    expect(problems(spec).map(pathOf)).toContain(pathOf(field));
  });

  it.each([
    ['driver', { driver: { resources: { limits: { memory: '512Mi' } } } }],
    ['executors', { executors: { resources: { limits: { memory: '512Mi' } } } }],
    ['driver', { driver: { memoryOverhead: '2Gi' } }],
  ])('refuses too little memory for the heap of the %s: %j', (role, spec) => {
    const full = defaulted({ ...leastSpark, ...spec }, sparkJobSpec.json) as Parameters<typeof sparkProblems>[0];
    const [problem = ''] = sparkProblems(full);
    expect(problem).toMatch(
      new RegExp(
        `^${role}\\.resources\\.limits\\.memory: Invalid value: "\\w+": must be at least \\d+Mi, which leaves \\d+Mi of heap`,
      ),
    );
    expect(problem).toMatch(new RegExp(`; raise the limit or lower ${role}\\.memoryOverhead$`));
  });
});
