import { describe, it } from 'vitest';
import { leaderElection } from '../../../../operator/controllers/leader/index.js';
import { type ContractCheck, controllerContract, simulation } from '../../../../operator/testing/index.js';
import { seeds } from '../../../simulation/seeds.js';
import {
  givenElection,
  givenHooks,
  givenLeases,
  givenPods,
  givenRoles,
  givenSpec,
  obedient,
  servingRedis,
} from './given-election.js';

const names = ['cache-0', 'cache-1', 'cache-2'];
const { apiVersion, kind } = givenElection();
const http = (path: string) => ({ http: { path, port: 8080 } });
const hooks = { promote: http('/promote'), demote: http('/demote'), status: http('/role') };
const ports = [{ name: 'http', port: 80, targetPort: 8080 }];

/** An election whose spec names its own Services. */
const election = (name: string, spec: object, namespace = 'shop') => ({
  ...{ apiVersion, kind, metadata: { name, namespace } },
  spec: { ...givenSpec({ ...spec, service: `${name}-leader`, replicaService: `${name}-replicas` }) },
});

/**
 * The Lease is an object of the election, so it is deleted with it, and its port does not know that. The check of calls keeps
 * the status and loses the Lease: then a term is skipped, so that no term has two leaders.
 */
const isPromised = ({ name }: ContractCheck) => !/^(leaves nothing outside|reaches the same state outside)/.test(name);

describe.each([
  ['Redis', { application: { redis: {} } }],
  ['hooks', { application: { hooks }, ports }],
  ['a label', { application: { label: {} }, ports }],
])('the controller of LeaderElections with %s', (_, spec) => {
  const resource = election('cache', spec);
  const edited = givenSpec({ ...spec, service: 'cache-primary', ports: [{ name: 'other', port: 81 }] });
  const given = {
    ...{ resource, edited, reads: givenPods(names), answers: [obedient, servingRedis] },
    others: [election('cache-2', { ...spec, selector: { app: 'other' } }), election('cache', spec, 'team')],
    ports: [givenLeases(), givenRoles(), givenHooks()],
  };
  for (const check of controllerContract(leaderElection, given)) if (isPromised(check)) it(check.name, check.holds);
  for (const { name, holds } of simulation(leaderElection, given, { seeds: seeds(2, 10) })) it(name, holds, 120_000);
});
