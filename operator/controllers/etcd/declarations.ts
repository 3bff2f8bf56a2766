import { certificateKind, type EtcdClusterResource, issuerKind } from '../../../imports/index.js';
import { etcdObjectNames, etcdSelector } from '../../../src/index.js';
import { memberReads } from '../../members/index.js';
import * as k8s from '../../runtime/index.js';

/** Kinds that an EtcdCluster owns. Volumes can stay when it is deleted. */
export const owns = [
  ...([k8s.ServiceAccount, k8s.Service, k8s.NetworkPolicy, k8s.PodDisruptionBudget, k8s.Pod] as const),
  ...([issuerKind, certificateKind, k8s.withoutOwnerReference(k8s.PersistentVolumeClaim)] as const),
] as const;

/** Objects that the controller reads but does not own. */
export const reads = (refer: k8s.Refer<EtcdClusterResource>) => ({
  ...memberReads(refer, etcdSelector),
  certificate: refer.named(k8s.Secret, ({ metadata }) => etcdObjectNames(metadata.name).memberCertificate),
});
