import { describe, it } from 'vitest';
import { secretRotation } from '../../../../operator/controllers/secret-rotation/index.js';
import { type ContractCheck, controllerContract, simulation } from '../../../../operator/testing/index.js';
import { seeds } from '../../../simulation/seeds.js';
import { givenWorkloads } from '../../consumers/given-workloads.js';
import { userModel } from '../kafka/kafka-models.js';
import { drawn, givenRotation, kafka, server } from './given-rotation.js';

const consumers = [{ deployment: 'shop' }, { daemonSet: 'agent' }];
const { apiVersion, kind, spec } = givenRotation({ consumers });
const resource = { apiVersion, kind, metadata: { name: 'orders', namespace: 'shop' }, spec };
const { spec: edited } = givenRotation({ consumers, secretName: 'orders-credentials' });
const { spec: random } = givenRotation({ consumers, source: { random: { keys: ['key', 'salt'] } } });
// Both Secrets can be deleted at once: the login in them returns if the other one is in use.
const ports = [server({ orders_b: { canLogin: false, inUse: true } }), userModel(), givenWorkloads()];

// The spec names the Secret.
const others = [
  { ...resource, metadata: { name: 'orders', namespace: 'team' } },
  { ...resource, metadata: { name: 'orders-2', namespace: 'shop' }, spec: { ...spec, secretName: 'orders-2-login' } },
];

/** The logins stay in PostgreSQL, so that running Pods go on, and the annotations of consumers stay. */
const staysClean = ({ name }: ContractCheck) => name.startsWith('leaves nothing outside');

describe('line 10: the controller of SecretRotations', () => {
  const given = { resource, edited, others, answers: [drawn], ports };
  for (const check of controllerContract(secretRotation, given)) if (!staysClean(check)) it(check.name, check.holds);
  for (const { name, holds } of simulation(secretRotation, given, { seeds: seeds(4, 10) })) it(name, holds, 120_000);
});

describe('the controller of SecretRotations, with two users of Kafka', () => {
  const source = { kafkaUser: { name: 'shop' } };
  const inKafka = (name: string, secretName = `${name}-login`) =>
    ({
      ...resource,
      metadata: { name, namespace: 'shop' },
      spec: givenRotation({ consumers, source, secretName }).spec,
    }) as const;
  const given = {
    resource: inKafka('orders'),
    edited: inKafka('orders', 'orders-credentials').spec,
    ...{ others: [inKafka('orders-2')], reads: kafka.all },
    ...{ answers: [drawn], ports: [userModel(), server(), givenWorkloads()] },
  };
  // If both Secrets are lost, the other user gets the new credential, because Kafka does not tell who is connected.
  const losesBoth = ({ name }: ContractCheck) => name.startsWith('recreates deleted objects');
  for (const check of controllerContract(secretRotation, given))
    if (!losesBoth(check) && !staysClean(check)) it(check.name, check.holds);
  const withoutConsumers = {
    ...given,
    resource: { ...given.resource, spec: { ...given.resource.spec, consumers: [] } },
  };
  for (const check of controllerContract(secretRotation, withoutConsumers))
    if (staysClean(check)) it(check.name, check.holds);
  // The simulation edits what is read without its schema, which allows no quota such as "changed".
  const { user, cluster, authority } = kafka;
  const reads = [{ ...user, spec: { ...user.spec, quotas: {} } }, cluster, authority];
  // If both Secrets are lost, the other user takes over. The earlier one is refused before the simulation loses patience.
  const soon = (spec: object) => ({ ...spec, overlap: '5s' });
  const simulated = {
    ...{ ...given, reads, edited: soon(given.edited) },
    resource: { ...given.resource, spec: soon(given.resource.spec) },
  };
  for (const { name, holds } of simulation(secretRotation, simulated, { seeds: seeds(4, 10) }))
    it(name, holds, 120_000);
});

describe('line 10: the controller of SecretRotations, with random values', () => {
  const { spec: other } = givenRotation({ consumers, source: { random: { keys: ['key'] } } });
  const given = { resource: { ...resource, spec: random }, edited: other, others, answers: [drawn], ports };
  for (const check of controllerContract(secretRotation, given)) if (!staysClean(check)) it(check.name, check.holds);
});
