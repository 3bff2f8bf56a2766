import { type ApiError, isApiError } from './errors.js';

/** A refusal of the API server, recognized by its message, and what a person can do about it. */
interface Refusal {
  readonly pattern: RegExp;
  readonly advice: (groups: Readonly<Record<string, string>>, message: string) => string;
}

/**
 * The refusals by a rule of the cluster, in the order in which they are recognized. The messages have no type, so the
 * test of this table records them from a real API server.
 */
const refusals: readonly Refusal[] = [
  {
    pattern: /exceeded quota: (?<quota>[^,]+), requested: (?<requested>.+?), used: /,
    advice: ({ quota, requested = '' }) => {
      const names = requested.split(',').map((amount) => amount.split('=')[0] ?? '');
      return `raise ${listed(names)} of ResourceQuota ${quota}, or ${lowering(names)}`;
    },
  },
  {
    pattern: /failed quota: (?<quota>[^:]+): must specify (?<missing>[^\n]+)/,
    advice: ({ quota, missing }) =>
      `set what ResourceQuota ${quota} requires (${missing}), or create a LimitRange with defaults in the namespace`,
  },
  {
    pattern: /(?:minimum|maximum) [\w./-]+ usage per \w+ is |max limit to request ratio per \w+ is /,
    advice: (_, message) =>
      `set the resources in the spec within the LimitRange of the namespace (${listed(limitsIn(message))}), or change the LimitRange`,
  },
  {
    pattern: /violates PodSecurity "(?<level>[^"]+)": (?<violations>[^\n]+)/,
    advice: ({ level, violations = '' }) => {
      const fields = [
        ...new Set([...violations.matchAll(/must (?:not )?set (?<field>[\w./]+)/g)].map(([, field = '']) => field)),
      ];
      const what = fields.length > 0 ? `change ${listed(fields)} of the Pod` : 'change the Pod';
      return `${what} to meet the Pod Security level ${level}, or lower the label pod-security.kubernetes.io/enforce of the namespace`;
    },
  },
  {
    pattern: /admission webhook "(?<webhook>[^"]+)" denied the request/,
    advice: ({ webhook }) => `change the object as the webhook ${webhook} demands, or change the rules of the webhook`,
  },
  {
    pattern: /failed calling webhook "(?<webhook>[^"]+)"/,
    advice: ({ webhook }) => `make the webhook ${webhook} available, or exclude the namespace from its configuration`,
  },
  {
    pattern: /ValidatingAdmissionPolicy '(?<policy>[^']+)' with binding '(?<binding>[^']+)' denied request/,
    advice: ({ policy, binding }) =>
      `change the object as ValidatingAdmissionPolicy ${policy} demands, or exclude it in the binding ${binding}`,
  },
  {
    pattern:
      /User "(?<user>[^"]+)" cannot (?<verb>\S+) resource "(?<resource>[^"]+)" in API group "(?<group>[^"]*)" (?:in the namespace "(?<namespace>[^"]+)"|at the cluster scope)/,
    advice: ({ user, verb, resource, group, namespace }) => {
      const role = namespace === undefined ? 'a ClusterRole' : `a Role in the namespace ${namespace}`;
      const rule = `apiGroups: ["${group}"], resources: ["${resource}"], verbs: ["${verb}"]`;
      return `install the roles of this version of the operator, or add the rule {${rule}} to ${role} of ${user}`;
    },
  },
  {
    pattern: /is attempting to grant RBAC permissions not currently held|cannot set blockOwnerDeletion/,
    advice: () => 'install the roles of this version of the operator, which lacks a permission for this object',
  },
  {
    pattern: /only dynamically provisioned pvc can be resized and the storageclass/,
    advice: () => 'set allowVolumeExpansion of the StorageClass to true, or set the size to what the volume has',
  },
  {
    pattern: /no PriorityClass with name (?<name>\S+) was found/,
    advice: ({ name }) => `create the PriorityClass ${name}, or name another one in the spec`,
  },
  {
    pattern: /error looking up service account (?<account>[^\s:]+): serviceaccount "[^"]+" not found/,
    advice: ({ account }) => `create the ServiceAccount ${account}, or name another one in the spec`,
  },
];

const neutral = 'find the admission rule or the missing permission that the message names, and change it or the object';

/**
 * What a person can do about a refused request, by the message of the API server. Undefined for an error that is no
 * refusal by a rule of the cluster.
 */
export function refusalAdvice(error: ApiError): string | undefined {
  return adviceIn(error.message) ?? (isApiError(error, 'Forbidden') ? neutral : undefined);
}

/** The same for a message that a controller of Kubernetes passes on, such as that of a ReplicaSet. */
export function adviceIn(message: string): string | undefined {
  for (const { pattern, advice } of refusals) {
    const found = pattern.exec(message);
    if (found) return advice({ ...found.groups }, message);
  }
  return undefined;
}

/** What the user of a quota can do about these resources. */
function lowering(names: readonly string[]): string {
  if (names.some((name) => /^(?:(?:limits|requests)\.)?(?:cpu|memory|ephemeral-storage)$/.test(name)))
    return 'lower the requests and limits in the spec';
  if (names.some((name) => name.endsWith('requests.storage'))) return 'lower the size of the volume in the spec';
  return 'delete unused objects';
}

/** The limits of a LimitRange, such as `at least 1 of cpu per Container`. */
function limitsIn(message: string): readonly string[] {
  const usage = /(minimum|maximum) (\S+) usage per (\w+) is ([^,\]\s]+)/g;
  const ratio = /(\S+) max limit to request ratio per (\w+) is ([^,\]\s]+)/g;
  return [
    ...[...message.matchAll(usage)].map(
      ([, bound, resource, per, amount]) =>
        `at ${bound === 'minimum' ? 'least' : 'most'} ${amount} of ${resource} per ${per}`,
    ),
    ...[...message.matchAll(ratio)].map(
      ([, resource, per, amount]) => `a ${resource} limit of at most ${amount} times the request per ${per}`,
    ),
  ];
}

function listed(names: readonly string[]): string {
  return names.join(', ');
}
