import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { groupKindOf, groupOf } from '../kubernetes/kinds.js';

/**
 * Objects that others depend on go first. A pod that starts before its configuration waits for the kubelet's next try,
 * and an autoscaler without its target reports errors. Other kinds go with the workloads.
 */
const order: readonly (readonly string[])[] = [
  ['Namespace', 'CustomResourceDefinition.apiextensions.k8s.io', 'PriorityClass.scheduling.k8s.io'],
  ['ServiceAccount', 'ResourceQuota', 'LimitRange', 'NetworkPolicy.networking.k8s.io'],
  ['Role.rbac.authorization.k8s.io', 'ClusterRole.rbac.authorization.k8s.io'],
  ['RoleBinding.rbac.authorization.k8s.io', 'ClusterRoleBinding.rbac.authorization.k8s.io'],
  ['ConfigMap', 'Secret', 'StorageClass.storage.k8s.io', 'PersistentVolume', 'PersistentVolumeClaim'],
  ['Service'],
  [], // workloads, and all kinds that are not listed
  [
    'HorizontalPodAutoscaler.autoscaling',
    'PodDisruptionBudget.policy',
    'Ingress.networking.k8s.io',
    'HTTPRoute.gateway.networking.k8s.io',
  ],
];

const workloads = order.findIndex((kinds) => kinds.length === 0);
const positions = new Map(order.flatMap((kinds, position) => kinds.map((kind) => [kind, position] as const)));
/** The distance between the waves of two kinds, for dependencies in the construct tree. */
const stride = 1000;

/**
 * The wave of an object: that of its kind, but after everything that it depends on in the construct tree.
 * @param known the waves that were found so far. This one is added
 */
export function waveOf(construct: IConstruct, known: Map<IConstruct, number>): number {
  const found = known.get(construct);
  if (found !== undefined) return found;
  const own = ApiObject.isApiObject(construct) ? stride * positionOf(construct) : 0;
  known.set(construct, own); // ends a cycle, which cannot be ordered anyway
  const before = construct.node.dependencies.flatMap(({ node }) => node.findAll()).map((other) => waveOf(other, known));
  const wave = Math.max(own, ...before.map((other) => other + 1));
  known.set(construct, wave);
  return wave;
}

function positionOf({ apiVersion, kind }: ApiObject): number {
  return kindPosition({ group: groupOf(apiVersion), kind });
}

/** True for kinds that run containers, and for unknown kinds. */
export function isWorkload(kind: { group: string; kind: string }): boolean {
  return kindPosition(kind) === workloads;
}

/** The position of a kind in the order. Deletion uses the reverse order. */
export function kindPosition(kind: { group: string; kind: string }): number {
  return positions.get(groupKindOf(kind)) ?? workloads;
}
