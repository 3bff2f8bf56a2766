import { describe, expect, it } from 'vitest';
import { kafkaCluster, kafkaClusterSpec, kafkaTopicSpec, kafkaUserSpec } from '../../crds/index.js';
import { toCustomResourceDefinition } from '../../crds/schema/crd.js';
import { defaulted } from '../../crds/schema/defaults.js';
import { valueProblems } from '../../crds/schema/value-problems.js';
import { REFUSED_CLUSTERS, REFUSED_TOPICS, REFUSED_USERS, type Refused } from './refused-kafka.js';

/** The API server alone compares quantities. */
const needsServer = (message: string) => message.includes('must be at least 256Mi');
const alone = (rows: Refused) => rows.filter(([, , message]) => !needsServer(message));

function problems(schema: Parameters<typeof valueProblems>[0], spec: object): readonly string[] {
  return valueProblems(schema, defaulted(spec, schema), 'spec');
}

describe('without an API server, cdk8s synth accepts', () => {
  const brokers = { storage: { size: '10Gi' } };
  it.each([
    [kafkaClusterSpec.json, { brokers }],
    [kafkaTopicSpec.json, { cluster: { name: 'events' } }],
    [kafkaUserSpec.json, { cluster: { name: 'events' } }],
  ])('the least %#', (schema, spec) => {
    expect(problems(schema, spec)).toEqual([]);
  });
});

describe('without an API server, cdk8s synth refuses', () => {
  it.each(alone(REFUSED_CLUSTERS))('the KafkaCluster %j at %s', (spec, field) => {
    const found = problems(kafkaClusterSpec.json, { brokers: { storage: { size: '10Gi' } }, ...spec });
    expect(found.map(pathOf)).toContain(pathOf(field));
  });
  it.each(alone(REFUSED_TOPICS))('the KafkaTopic %j at %s', (spec, field) => {
    const found = problems(kafkaTopicSpec.json, { cluster: { name: 'events' }, ...spec });
    expect(found.map(pathOf)).toContain(pathOf(field));
  });
  it.each(alone(REFUSED_USERS))('the KafkaUser %j at %s', (spec, field) => {
    const found = problems(kafkaUserSpec.json, { cluster: { name: 'events' }, ...spec });
    expect(found.map(pathOf)).toContain(pathOf(field));
  });
});

/** The API server names the item of a list that occurs twice, and synth the list. */
function pathOf(problem: string): string {
  const [path = ''] = problem.split(': ');
  return problem.includes('Duplicate value') ? path.replace(/\[\d+\]$/, '') : path;
}

it('the CRD of a KafkaCluster fits in the annotation in which kubectl apply stores it without --server-side', () => {
  // The API server accepts 256 KiB of annotations.
  expect(JSON.stringify(toCustomResourceDefinition(kafkaCluster)).length).toBeLessThan(262_144 - 100);
});
