import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../../operator/runtime/kubernetes/errors.js';
import { adviceIn, refusalAdvice } from '../../../../operator/runtime/kubernetes/refusal-advice.js';

/** Messages as `refusal-advice.integration.test.ts` gets them from a real API server. */
const recorded: readonly (readonly [what: string, message: string, advice: string])[] = [
  [
    'a quota of CPU that is used up',
    'pods "a" is forbidden: exceeded quota: team, requested: limits.cpu=2,requests.cpu=1, used: limits.cpu=3,requests.cpu=1, limited: limits.cpu=4,requests.cpu=1',
    'raise limits.cpu, requests.cpu of ResourceQuota team, or lower the requests and limits in the spec',
  ],
  [
    'a quota of storage that is used up',
    'persistentvolumeclaims "a" is forbidden: exceeded quota: team, requested: requests.storage=100Gi, used: requests.storage=1Gi, limited: requests.storage=8Gi',
    'raise requests.storage of ResourceQuota team, or lower the size of the volume in the spec',
  ],
  [
    'a quota of one StorageClass',
    'persistentvolumeclaims "a" is forbidden: exceeded quota: team, requested: fast.storageclass.storage.k8s.io/requests.storage=2Gi, used: fast.storageclass.storage.k8s.io/requests.storage=0, limited: fast.storageclass.storage.k8s.io/requests.storage=1Gi',
    'raise fast.storageclass.storage.k8s.io/requests.storage of ResourceQuota team, or lower the size of the volume in the spec',
  ],
  [
    'a quota of objects',
    'persistentvolumeclaims "a" is forbidden: exceeded quota: team, requested: persistentvolumeclaims=1, used: persistentvolumeclaims=2, limited: persistentvolumeclaims=2',
    'raise persistentvolumeclaims of ResourceQuota team, or delete unused objects',
  ],
  [
    'a quota that a container does not mention',
    'pods "a" is forbidden: failed quota: team: must specify limits.cpu for: server; limits.memory for: server',
    'set what ResourceQuota team requires (limits.cpu for: server; limits.memory for: server), or create a LimitRange with defaults in the namespace',
  ],
  [
    'a LimitRange, several bounds',
    'pods "a" is forbidden: [minimum cpu usage per Container is 1, but request is 100m, maximum memory usage per Container is 64Mi, but limit is 128Mi]',
    'set the resources in the spec within the LimitRange of the namespace (at least 1 of cpu per Container, at most 64Mi of memory per Container), or change the LimitRange',
  ],
  [
    'a LimitRange, the ratio',
    'pods "a" is forbidden: cpu max limit to request ratio per Container is 2, but provided ratio is 20.000000',
    'set the resources in the spec within the LimitRange of the namespace (a cpu limit of at most 2 times the request per Container), or change the LimitRange',
  ],
  [
    'a LimitRange of volumes',
    'persistentvolumeclaims "a" is forbidden: minimum storage usage per PersistentVolumeClaim is 2Gi, but request is 1Gi',
    'set the resources in the spec within the LimitRange of the namespace (at least 2Gi of storage per PersistentVolumeClaim), or change the LimitRange',
  ],
  [
    'Pod Security admission',
    'pods "a" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false (container "server" must set securityContext.allowPrivilegeEscalation=false), hostPath volumes (volume "a"), runAsNonRoot != true (pod or container "server" must set securityContext.runAsNonRoot=true)',
    'change securityContext.allowPrivilegeEscalation, securityContext.runAsNonRoot of the Pod to meet the Pod Security level restricted:latest, or lower the label pod-security.kubernetes.io/enforce of the namespace',
  ],
  [
    'a webhook that denies',
    'admission webhook "images.example.com" denied the request: the registry is not trusted',
    'change the object as the webhook images.example.com demands, or change the rules of the webhook',
  ],
  [
    'a webhook that does not answer',
    'Internal error occurred: failed calling webhook "images.example.com": failed to call webhook: Post "https://127.0.0.1:1/?timeout=1s": dial tcp 127.0.0.1:1: connect: connection refused',
    'make the webhook images.example.com available, or exclude the namespace from its configuration',
  ],
  [
    'an admission policy',
    `configmaps "a" is forbidden: ValidatingAdmissionPolicy 'images' with binding 'all' denied request: no`,
    'change the object as ValidatingAdmissionPolicy images demands, or exclude it in the binding all',
  ],
  [
    'a right in a namespace that is missing',
    'deployments.apps is forbidden: User "system:serviceaccount:a:b" cannot create resource "deployments" in API group "apps" in the namespace "shop"',
    'install the roles of this version of the operator, or add the rule {apiGroups: ["apps"], resources: ["deployments"], verbs: ["create"]} to a Role in the namespace shop of system:serviceaccount:a:b',
  ],
  [
    'a right in the cluster that is missing',
    'nodes is forbidden: User "system:serviceaccount:a:b" cannot list resource "nodes" in API group "" at the cluster scope',
    'install the roles of this version of the operator, or add the rule {apiGroups: [""], resources: ["nodes"], verbs: ["list"]} to a ClusterRole of system:serviceaccount:a:b',
  ],
  [
    'a right that cannot be granted',
    'roles.rbac.authorization.k8s.io "a" is forbidden: user "system:serviceaccount:a:b" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}',
    'install the roles of this version of the operator, which lacks a permission for this object',
  ],
  [
    'a StorageClass that cannot grow',
    'persistentvolumeclaims "a" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    'set allowVolumeExpansion of the StorageClass to true, or set the size to what the volume has',
  ],
  [
    'a PriorityClass that is missing',
    'pods "a" is forbidden: no PriorityClass with name high was found',
    'create the PriorityClass high, or name another one in the spec',
  ],
  [
    'a ServiceAccount that is missing',
    'pods "a" is forbidden: error looking up service account shop/reader: serviceaccount "reader" not found',
    'create the ServiceAccount shop/reader, or name another one in the spec',
  ],
];

describe('what helps against a refusal', () => {
  test.each(recorded)('%s', (_what, message, advice) => {
    const error = new ApiError(`POST /api/v1/pods: ${message}`, { code: 403, reason: 'Forbidden' });
    expect(refusalAdvice(error)).toBe(advice);
    expect(adviceIn(message)).toBe(advice);
  });

  test.each([
    [
      'Forbidden',
      'find the admission rule or the missing permission that the message names, and change it or the object',
    ],
    ['Invalid', undefined],
    ['Conflict', undefined],
  ])('that nobody knows, with the reason %s', (reason, advice) => {
    expect(refusalAdvice(new ApiError('a new rule says no', { code: 403, reason }))).toBe(advice);
  });
});
