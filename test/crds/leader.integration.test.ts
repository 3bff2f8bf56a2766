import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InputOf, leaderElection, leaderElectionSpec, withDefaults } from '../../crds/index.js';
import { givenControlPlane } from '../given/control-plane.js';
import { canonical } from './canonical.js';
import { ApiServer } from './given-api-server.js';

let server: ApiServer;
beforeAll(async () => {
  server = await ApiServer.at(givenControlPlane().kubeconfig);
  await server.serve(leaderElection);
});
afterAll(() => server.close());

const hook = { http: { path: '/leader', port: 8080 } };
const hooks = { promote: hook, demote: hook, status: hook };
const ports = [{ name: 'http', port: 80 }];
const least = { selector: { app: 'cache' }, service: 'cache-leader', application: { redis: {} } };
const tried = (spec: object, name = 'cache') => server.tried(leaderElection, { metadata: { name }, spec });

describe('the API server', () => {
  it.each<InputOf<typeof leaderElectionSpec>>([
    least,
    { ...least, lease: {}, prefer: { zone: 'zone-a' }, safety: { minReplicas: 0 } },
    { ...least, lease: { leaseDuration: '1m', renewDeadline: '30s' }, replicaService: 'cache-replicas' },
    { ...least, application: { redis: { port: 6380, tls: { caSecretRef: { name: 'ca' } } } } },
    { ...least, application: { hooks }, ports },
    { ...least, application: { label: {} }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
  ])('fills in what the constructs do: %j', async (spec) => {
    const answer = await tried(spec);
    expect(answer.body.message).toBeUndefined();
    expect(canonical(answer.body.spec)).toBe(canonical(withDefaults(leaderElectionSpec, spec)));
  });

  it.each<[spec: object, path: string, message: string]>([
    [{ ...least, selector: {} }, 'spec.selector', 'should have at least 1 properties'],
    [{ ...least, application: {} }, 'spec.application', 'must have exactly one type; set redis, hooks or label'],
    [{ ...least, application: { redis: {}, label: {} } }, 'spec.application', 'must have exactly one type'],
    [{ ...least, application: { label: {} } }, 'spec.ports', 'only redis has one by itself'],
    [{ ...least, replicaService: 'cache-leader' }, 'spec.replicaService', 'must not be the name of service'],
    [{ ...least, service: 'Cache' }, 'spec.service', 'should match'],
    [
      { ...least, lease: { leaseDuration: '10s' } },
      'spec.lease',
      'renewDeadline 10s must be less than leaseDuration 10s',
    ],
    [
      { ...least, lease: { retryPeriod: '6s' } },
      'spec.lease',
      'retryPeriod 6s must be at most half of renewDeadline 10s',
    ],
    [{ ...least, lease: { leaseDuration: '1s' } }, 'spec.lease.leaseDuration', 'must be from 3s to 10m'],
    [{ ...least, safety: { maxLag: '1s' } }, 'spec.safety.maxLag', 'must be from 2s to 5m'],
    [{ ...least, safety: { minReplicas: 16 } }, 'spec.safety.minReplicas', 'should be less than or equal to 15'],
  ])('refuses %j', async (spec, path, message) => {
    const { body } = await tried(spec);
    expect(body.message).toContain(path);
    expect(body.message).toContain(message);
  });

  it('refuses a name that a Lease and its annotations cannot have', async () => {
    expect((await tried(least, '1-cache')).body.message).toContain('must have a name that a Lease');
  });

  it('refuses another type of application', async () => {
    await server.create(leaderElection, { metadata: { name: 'typed' }, spec: least });
    const { body } = await server.triedUpdate(leaderElection, 'typed', { ...least, application: { label: {} }, ports });
    expect(body.message).toContain('must stay of one type; create another LeaderElection with the new type');
    await server.remove(leaderElection, 'typed');
  });
});
