import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { etcdCluster, etcdClusterSpec, type InputOf, withDefaults } from '../../crds/index.js';
import { givenControlPlane } from '../given/control-plane.js';
import { kstatusOf } from '../kstatus.js';
import { canonical } from './canonical.js';
import { ApiServer } from './given-api-server.js';
import { REFUSED_ETCD } from './refused-etcd.js';

let server: ApiServer;
beforeAll(async () => {
  server = await ApiServer.at(givenControlPlane().kubeconfig);
  await server.serve(etcdCluster);
});
afterAll(() => server.close());

const tried = (spec: object, name = 'store') => server.tried(etcdCluster, { metadata: { name }, spec });

describe('the API server fills in what the constructs do', () => {
  it.each<InputOf<typeof etcdClusterSpec>>([
    {},
    {
      ...{ replicas: 5, image: 'etcd:v3.4.37', replaceAfter: '1h', deletionPolicy: 'Delete' },
      storage: { size: '10Gi', storageClassName: 'fast' },
      placement: { topologyKey: 'kubernetes.io/hostname', spread: 'Required' },
      resources: { limits: { memory: '4Gi' } },
    },
  ])('for the EtcdCluster %j', async (spec) => {
    const { body } = await tried(spec);
    expect(body.message).toBeUndefined();
    expect(canonical(body.spec)).toBe(canonical(withDefaults(etcdClusterSpec, spec)));
  });
});

function expectRefusal({ status, body }: Awaited<ReturnType<typeof tried>>, field: string, message: string) {
  expect(status).toBe(422);
  expect(body.message).toContain(field);
  expect(body.message).toContain(message);
}

describe('the API server refuses', () => {
  it.each(REFUSED_ETCD)('the EtcdCluster %j', async (spec, field, message) =>
    expectRefusal(await tried(spec), field, message),
  );

  it.each(['1st', 'a.b', `s${'t'.repeat(40)}`])('an EtcdCluster with the name %s', async (name) =>
    expectRefusal(await tried({}, name), 'Invalid value', 'must have a name that its Services can have; use up to 40'),
  );
});

it('an update keeps the number of members and the class of the volumes, and may raise their size', async () => {
  const storage = { size: '2Gi', storageClassName: 'fast' };
  const { body } = await server.create(etcdCluster, { metadata: { name: 'kept' }, spec: { storage } });
  expect(kstatusOf(body as unknown as Parameters<typeof kstatusOf>[0])).toBe('InProgress');
  const updated = async (spec: object) => (await server.triedUpdate(etcdCluster, 'kept', spec)).body.message ?? '';
  expect(await updated({ storage, replicas: 5 })).toContain('spec.replicas: Invalid value: 5: is immutable');
  expect(await updated({ storage: { size: '2Gi' } })).toContain('storageClassName is immutable');
  expect(await updated({ storage: { ...storage, size: '4Gi' }, replicas: 3 })).toBe('');
  await server.remove(etcdCluster, 'kept');
});
