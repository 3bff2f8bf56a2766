import { describe, it } from 'vitest';
import { etcdClusterSpec, withDefaults } from '../../../../crds/index.js';
import { etcdCluster } from '../../../../operator/controllers/etcd/index.js';
import { type ContractCheck, controllerContract, simulation } from '../../../../operator/testing/index.js';
import { seeds } from '../../../simulation/seeds.js';
import { servingModel } from './etcd-model.js';

const namespace = 'shop';
// Volumes of this size have the largest data file, so that a larger one replaces no Pod: Pods are never ready here.
const spec = (size: string) => withDefaults(etcdClusterSpec, { deletionPolicy: 'Delete', storage: { size } });
/**
 * A cluster without volumes is not formed again, because its data would be lost without a word: `heals.test.ts` has what
 * comes back. Nothing outside is left behind, because the members run in the Pods.
 */
const isPromised = ({ name }: ContractCheck) => !/^(recreates deleted objects|leaves nothing outside)/.test(name);
const certificate = {
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'store-member-tls', namespace } },
  data: Object.fromEntries(['tls.crt', 'tls.key', 'ca.crt'].map((key) => [key, Buffer.from(key).toString('base64')])),
};

describe('the controller of EtcdClusters', () => {
  const resource = {
    ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'EtcdCluster', metadata: { name: 'store', namespace } },
    spec: spec('20Gi'),
  };
  const given = {
    ...{ resource, edited: spec('30Gi'), reads: [certificate] },
    // Another user has added a fourth member.
    ports: [servingModel(1, 2, 3, 4)],
  };
  for (const check of controllerContract(etcdCluster, given)) if (isPromised(check)) it(check.name, check.holds);
  for (const { name, holds } of simulation(etcdCluster, given, { seeds: seeds(2, 6) })) it(name, holds, 120_000);
});
