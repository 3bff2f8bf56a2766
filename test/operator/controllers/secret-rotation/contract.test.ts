import { describe, it } from 'vitest';
import { secretRotation } from '../../../../operator/controllers/secret-rotation/index.js';
import { controllerContract, simulation } from '../../../../operator/testing/index.js';
import { givenWorkloads } from '../../consumers/given-workloads.js';
import { drawn, givenRotation, server } from './given-rotation.js';

const consumers = [{ deployment: 'shop' }, { daemonSet: 'agent' }];
const { apiVersion, kind, spec } = givenRotation({ consumers });
const resource = { apiVersion, kind, metadata: { name: 'orders', namespace: 'shop' }, spec };
const { spec: edited } = givenRotation({ consumers, secretName: 'orders-credentials' });
const { spec: random } = givenRotation({ consumers, source: { random: { keys: ['key', 'salt'] } } });
// Both Secrets can be deleted at once: the login in them returns if the other one is in use.
const ports = [server({ orders_b: { canLogin: false, inUse: true } }), givenWorkloads()];

// The spec names the Secret.
const others = [
  { ...resource, metadata: { name: 'orders', namespace: 'team' } },
  { ...resource, metadata: { name: 'orders-2', namespace: 'shop' }, spec: { ...spec, secretName: 'orders-2-login' } },
];

describe('line 10: the controller of SecretRotations', () => {
  const given = { resource, edited, others, answers: [drawn], ports };
  for (const { name, holds } of controllerContract(secretRotation, given)) it(name, holds);
  for (const { name, holds } of simulation(secretRotation, given, { seeds: 20 })) it(name, holds, 120_000);
});

describe('line 10: the controller of SecretRotations, with random values', () => {
  const { spec: other } = givenRotation({ consumers, source: { random: { keys: ['key'] } } });
  const given = { resource: { ...resource, spec: random }, edited: other, others, answers: [drawn], ports };
  for (const { name, holds } of controllerContract(secretRotation, given)) it(name, holds);
});
