import { type EtcdKeysSourceOptions, etcdKeysSource } from './keys-source.js';
import { type OpenEtcdOptions, openEtcd } from './open-etcd.js';

/** The sources of EtcdClusters, and of keys of any etcd. */
export const etcd = {
  name: 'etcd',
  open: (environment: OpenEtcdOptions & EtcdKeysSourceOptions) => {
    const { provided, close } = openEtcd(environment);
    return { provided: [...provided, etcdKeysSource(environment)], close };
  },
};
