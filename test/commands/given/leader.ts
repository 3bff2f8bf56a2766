import { ApiObject } from 'cdk8s';
import type { LeaderElectionStatus } from '../../../imports/index.js';
import { conditions as ofElections } from '../../../operator/controllers/leader/conditions.js';
import { allTrue, apiVersion, type GivenSystem, now, observedGeneration } from '../given-system.js';

const status: LeaderElectionStatus = {
  ...{
    observedGeneration,
    leader: 'cache-0',
    term: 1,
    since: now,
    candidates: '2/2',
    conditions: allTrue(ofElections),
  },
  states: [
    { name: 'cache-0', state: 'Leader' },
    { name: 'cache-1', state: 'Replica' },
  ],
};

export const given = {
  resources: [
    {
      ...{ apiVersion, kind: 'LeaderElection', metadata: { name: 'cache' } },
      spec: { selector: { app: 'cache' }, service: 'cache-leader', application: { redis: {} } },
      status,
    },
  ],
  objects: (chart) => {
    const containers = [{ name: 'redis', image: 'redis:8' }];
    new ApiObject(chart, 'cache-0', {
      ...{
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'cache-0', labels: { app: 'cache' } },
        spec: { containers },
      },
    });
  },
} satisfies GivenSystem;
