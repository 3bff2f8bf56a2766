import { openEtcd } from './open-etcd.js';

/** The source of EtcdClusters. */
export const etcd = { name: 'etcd', open: openEtcd };
