import { etcdClusterKind } from '../../../imports/index.js';
import { etcdImage, etcdRepository } from '../../../src/index.js';
import type { KindPods } from '../../images/pod-defaults.js';

/** The Pods of EtcdClusters. */
export const etcdPods: KindPods<never> = {
  kind: etcdClusterKind,
  image: { imageOf: etcdImage, repository: etcdRepository },
};
