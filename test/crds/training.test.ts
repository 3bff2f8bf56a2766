import { describe, expect, it } from 'vitest';
import { trainingJobSpec } from '../../crds/index.js';
import { defaulted } from '../../crds/schema/defaults.js';
import { valueProblems } from '../../crds/schema/value-problems.js';
import { samples } from '../operator/engines/training/logs/sample-rules.js';
import { leastTraining, REFUSED_TRAINING } from './refused-training.js';

/** The API server alone compares quantities. */
const ofServer = ['must be at least 16Mi', 'lower the request or raise the limit'];
const alone = REFUSED_TRAINING.filter(([, , message]) => !ofServer.includes(message));

const problems = (spec: object) => valueProblems(trainingJobSpec.json, defaulted(spec, trainingJobSpec.json), 'spec');
const pathOf = (problem: string) => problem.split(': ')[0];

describe('without an API server, cdk8s synth', () => {
  it('accepts the least spec', () => {
    expect(problems(leastTraining)).toEqual([]);
  });
  it.each(samples)('accepts the rule over logs $rule.name, as HyperPod documents it', ({ rule }) => {
    expect(problems({ ...leastTraining, health: { logRules: [rule] } })).toEqual([]);
  });
  it.each(alone)('refuses the TrainingJob %j at %s', (spec, field) => {
    const found = problems({ ...leastTraining, ...spec }).map(pathOf);
    // The API server writes the key of a map in brackets.
    expect(found.map((path) => path?.replace(/\.cpu$/, ''))).toContain(pathOf(field));
  });
});
