import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sparkJob, sparkJobSpec, withDefaults } from '../../crds/index.js';
import type { SparkJobSpecInput } from '../../imports/index.js';
import { givenControlPlane } from '../given/control-plane.js';
import { kstatusOf } from '../kstatus.js';
import { canonical } from './canonical.js';
import { ApiServer } from './given-api-server.js';
import { ACCEPTED_SPARK, leastSpark, REFUSED_SPARK } from './refused-spark.js';

let server: ApiServer;
beforeAll(async () => {
  server = await ApiServer.at(givenControlPlane().kubeconfig);
  await server.serve(sparkJob);
});
afterAll(() => server.close());

const tried = (spec: object, name = 'clean') =>
  server.tried(sparkJob, { metadata: { name }, spec: { ...leastSpark, ...spec } });

describe('the API server fills in what the constructs do', () => {
  it.each(ACCEPTED_SPARK)('for the SparkJob %j', async (spec) => {
    const { body } = await tried(spec);
    expect(body.message).toBeUndefined();
    const input = { ...leastSpark, ...spec } as SparkJobSpecInput;
    expect(canonical(body.spec)).toBe(canonical(withDefaults(sparkJobSpec, input)));
  });
});

describe('the API server refuses', () => {
  it.each(REFUSED_SPARK)('the SparkJob %j at %s', async (spec, field, message) => {
    const { status, body } = await tried(spec);
    expect(status).toBe(422);
    expect(body.message).toContain(field);
    expect(body.message).toContain(message);
  });

  it.each(['1st', 'a.b', `c${'x'.repeat(45)}`])('a SparkJob with the name %s', async (name) => {
    const { body } = await tried({}, name);
    expect(body.message).toContain('must have a name that its Pods can have; use up to 45');
  });
});

it('a SparkJob without a status is in progress for tools that read kstatus', async () => {
  const { body } = await server.create(sparkJob, { metadata: { name: 'kept' }, spec: leastSpark });
  expect(kstatusOf(body as unknown as Parameters<typeof kstatusOf>[0])).toBe('InProgress');
  await server.remove(sparkJob, 'kept');
});
