import { isRecord } from '../kubernetes/json.js';
import { typeOf } from './field-types.js';
import { below, type Strategy } from './merge-keys.js';

const quantity: Strategy = { quantity: true };
const quantities: Strategy = { each: quantity };
const named = (each: Strategy = {}): Strategy => ({ keys: ['name'], each });
const ordered = (each: Strategy): Strategy => ({ ...named(each), ordered: true });
const items = (fields: Readonly<Record<string, Strategy>>): Strategy => ({ each: { fields } });
const stated = (value: unknown): Strategy => ({ default: value });
/** A LabelSelector and other selectors. */
const selector: Strategy = { whole: true };

const resources: Strategy = { fields: { requests: quantities, limits: quantities, claims: named() } };
const fieldRef: Strategy = { fields: { apiVersion: stated('v1') } };
const resourceFieldRef: Strategy = { fields: { divisor: { quantity: true, default: '0' } } };
const container: Strategy = {
  fields: {
    env: ordered({ fields: { valueFrom: { fields: { fieldRef, resourceFieldRef } } } }),
    ports: { keys: ['containerPort', 'protocol'] },
    volumeDevices: { keys: ['devicePath'] },
    volumeMounts: { keys: ['mountPath'] },
    resources,
  },
};

const claimSpec = { resources, selector };
const files: Strategy = { fields: { items: items({ fieldRef, resourceFieldRef }) } };
const serviceAccountToken: Strategy = { fields: { expirationSeconds: stated(3600) } };
const volume: Strategy = {
  fields: {
    downwardAPI: files,
    emptyDir: { fields: { sizeLimit: quantity } },
    ephemeral: { fields: { volumeClaimTemplate: { fields: { spec: { fields: claimSpec } } } } },
    projected: { fields: { sources: items({ downwardAPI: files, serviceAccountToken }) } },
  },
};

const podSpec: Strategy = {
  fields: {
    containers: ordered(container),
    initContainers: ordered(container),
    ephemeralContainers: named(container),
    hostAliases: { keys: ['ip'] },
    imagePullSecrets: named(),
    nodeSelector: selector,
    overhead: quantities,
    resourceClaims: named(),
    resources,
    schedulingGates: named(),
    topologySpreadConstraints: {
      keys: ['topologyKey', 'whenUnsatisfiable'],
      each: { fields: { labelSelector: selector } },
    },
    volumes: named(volume),
  },
};
const template: Strategy = { fields: { spec: podSpec } };
const workload: Strategy = { fields: { selector, template } };

/** The defaults that a StatefulSet adds to a PVC template. */
const claimTemplate: Strategy = {
  fields: {
    apiVersion: stated('v1'),
    kind: stated('PersistentVolumeClaim'),
    metadata: { fields: { creationTimestamp: stated(null) } },
    spec: { fields: { ...claimSpec, volumeMode: stated('Filesystem') } },
    status: stated({ phase: 'Pending' }),
  },
};

const metric: Strategy = {
  fields: { metric: { fields: { selector } }, target: { fields: { averageValue: quantity, value: quantity } } },
};
const metrics = items({ containerResource: metric, external: metric, object: metric, pods: metric, resource: metric });

const peers = items({ ports: items({ protocol: stated('TCP') }) });
const rules = items({ scope: stated('*') });
const webhooks: Strategy = { fields: { rules } };
const matchResources: Strategy = { fields: { resourceRules: rules, excludeResourceRules: rules } };
const subjects = items({ apiGroup: stated('rbac.authorization.k8s.io') });

const everywhere = { type: 'PathPrefix', value: '/' };
const path: Strategy = {
  fields: { type: stated(everywhere.type), value: stated(everywhere.value) },
  default: everywhere,
};
const matched = items({ type: stated('Exact') });
const referred = (kind: string) => ({ group: stated(''), kind: stated(kind) });
const routeRules = items({
  matches: { ...items({ headers: matched, path, queryParams: matched }), default: [{ path: everywhere }] },
  backendRefs: items({ ...referred('Service'), weight: stated(1) }),
});
const parentRefs = items({ group: stated('gateway.networking.k8s.io'), kind: stated('Gateway') });
const listener: Strategy = { fields: { tls: { fields: { certificateRefs: items(referred('Secret')) } } } };

const endpointPorts = items({ name: stated(''), protocol: stated('TCP') });
const podFailurePolicy: Strategy = {
  fields: { rules: items({ onPodConditions: items({ status: stated('True') }) }) },
};
const job: Strategy = { fields: { ...workload.fields, podFailurePolicy } };

const spec = (fields: Readonly<Record<string, Strategy>>) => ({ spec: { fields } });

/** By group and kind. Each list of any other kind counts as a whole, as it does unless its CRD declares otherwise. */
const byKind: Readonly<Record<string, Readonly<Record<string, Strategy>>>> = {
  '/LimitRange': spec({
    limits: items({ default: quantities, defaultRequest: quantities, max: quantities, min: quantities }),
  }),
  '/PersistentVolume': spec({ capacity: quantities }),
  '/PersistentVolumeClaim': spec(claimSpec),
  '/Pod': { spec: podSpec },
  '/PodTemplate': { template },
  '/ReplicationController': { spec: workload },
  '/ResourceQuota': spec({ hard: quantities }),
  '/Service': spec({ ports: { keys: ['port', 'protocol'] }, selector }),
  '/ServiceAccount': { secrets: named() },
  'admissionregistration.k8s.io/MutatingAdmissionPolicy': spec({ matchConstraints: matchResources }),
  'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding': spec({ matchResources }),
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': { webhooks: named(webhooks) },
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': spec({ matchConstraints: matchResources }),
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': spec({ matchResources }),
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': { webhooks: named(webhooks) },
  'apps/DaemonSet': { spec: workload },
  'apps/Deployment': { spec: workload },
  'apps/ReplicaSet': { spec: workload },
  'apps/StatefulSet': spec({ ...workload.fields, volumeClaimTemplates: { each: claimTemplate } }),
  'autoscaling/HorizontalPodAutoscaler': spec({ metrics }),
  'batch/CronJob': spec({ jobTemplate: { fields: { spec: job } } }),
  'batch/Job': { spec: job },
  'discovery.k8s.io/EndpointSlice': { ports: endpointPorts },
  'gateway.networking.k8s.io/Gateway': spec({ listeners: named(listener) }),
  'gateway.networking.k8s.io/HTTPRoute': spec({ parentRefs, rules: routeRules }),
  'networking.k8s.io/NetworkPolicy': spec({ podSelector: selector, ingress: peers, egress: peers }),
  'policy/PodDisruptionBudget': spec({ selector }),
  'rbac.authorization.k8s.io/ClusterRoleBinding': { subjects },
  'rbac.authorization.k8s.io/RoleBinding': { subjects },
};

/** The status of every kind. */
export const statusStrategy: Strategy = { fields: { conditions: { keys: ['type'] } } };

const anyKind: Strategy = {
  fields: {
    metadata: { fields: { finalizers: { set: true }, ownerReferences: { keys: ['uid'] } } },
    // It is written by itself, so that another write of it leaves nothing.
    status: { ...statusStrategy, zero: 'omitted' },
  },
};

/** By group and kind, each made for its first object. Custom resources without an entry have none. */
const strategies = new Map<string, Strategy>();

/** How the API server merges the fields of an object of this kind. */
export function strategyOf(object: unknown): Strategy {
  if (!isRecord(object) || typeof object['apiVersion'] !== 'string') return anyKind;
  const [group, version] = object['apiVersion'].split('/');
  return strategyFor(`${version === undefined ? '' : group}/${object['kind']}`);
}

function strategyFor(name: string): Strategy {
  const known = strategies.get(name);
  if (known) return known;
  const [fields, type] = [Object.hasOwn(byKind, name) ? byKind[name] : undefined, typeOf(name)];
  if (!fields && !type) return anyKind;
  const strategy = combined(type, combined(anyKind, fields && { fields })) ?? anyKind;
  strategies.set(name, strategy);
  return strategy;
}

/** Both in one. */
function combined(one: Strategy | undefined, other: Strategy | undefined): Strategy | undefined {
  if (!one || !other) return one ?? other;
  const names = [...Object.keys(one.fields ?? {}), ...Object.keys(other.fields ?? {})];
  const fields = names.map((name) => [name, combined(below(one, name), below(other, name)) ?? {}]);
  const each = combined(one.each, other.each);
  return {
    ...{ ...one, ...other },
    ...(fields.length > 0 && { fields: Object.fromEntries(fields) }),
    ...(each && { each }),
  };
}
