import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { algorithm, algorithmSpec, type InputOf, withDefaults } from '../../../crds/index.js';
import { givenControlPlane } from '../../given/control-plane.js';
import { canonical } from '../canonical.js';
import { ApiServer } from '../given-api-server.js';
import { sample, sampleSpec, sampleValue } from '../given-sample.js';
import { DEFAULTS } from './given-defaults.js';

let server: ApiServer;
beforeAll(async () => {
  server = await ApiServer.at(givenControlPlane().kubeconfig);
  await server.serve(algorithm);
  await server.serve(sample);
});
afterAll(async () => {
  await server.drop(sample);
  await server.close();
});

test.each(DEFAULTS)('the API server agrees: %s', async (_what, spec, stored) => {
  const answer = await server.tried(sample, { metadata: { name: 'it' }, spec });
  expect(answer.body.message).toBeUndefined();
  expect(answer.body.spec).toMatchObject(stored);
  expect(canonical(answer.body.spec)).toBe(canonical(withDefaults(sampleSpec, spec)));
});

test('the API server fills in the same defaults as the schema language', async () => {
  const agrees = async (spec: InputOf<typeof sampleSpec>) => {
    const answer = await server.tried(sample, { metadata: { name: 'it' }, spec });
    expect(answer.body.message).toBeUndefined();
    expect(canonical(answer.body.spec)).toBe(canonical(withDefaults(sampleSpec, spec)));
  };
  await fc.assert(fc.asyncProperty(sampleValue, agrees), { numRuns: 300 });
});

test.each<readonly [string, InputOf<typeof algorithmSpec>]>([
  ['image alone', { image: 'i' }],
  [
    'parts of every object',
    { image: 'i', probes: { path: '/' }, resources: { requests: { cpu: 1 } }, scaling: { maxReplicas: 2 } },
  ],
  ['empty objects', { image: 'i', metrics: {}, lifecycle: {}, probes: {}, resources: {} }],
])('an Algorithm of %s', async (_what, spec) => {
  const answer = await server.tried(algorithm, { metadata: { name: 'it' }, spec });
  expect(canonical(answer.body.spec)).toBe(canonical(withDefaults(algorithmSpec, spec)));
});
