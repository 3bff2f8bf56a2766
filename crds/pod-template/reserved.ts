import type { Rule } from '../schema/index.js';

/** The names that a kind uses in its Pods. A user who takes one of them is refused. */
export interface Reserved {
  /** Labels, in addition to those that no Pod template can set. @default [] */
  readonly labels?: readonly string[];
  /** Annotations, in addition to those that no Pod template can set. @default [] */
  readonly annotations?: readonly string[];
  /** Environment variables of the container that `env` concerns. @default [] */
  readonly env?: readonly string[];
  /** Prefixes of such environment variables. @default [] */
  readonly envPrefixes?: readonly string[];
  /** Volumes of the Pods. @default [] */
  readonly volumes?: readonly string[];
  /** Prefixes of such volumes. @default [] */
  readonly volumePrefixes?: readonly string[];
  /** Folders that the container mounts. A mount can be neither one of them, nor above or below one. @default [] */
  readonly mountPaths?: readonly string[];
}

/** The labels and annotations of this package, and of the objects that create Pods. */
const domains = ['reconstruct.dev/', 'ai.alien6.io/'];
const templateLabels = [
  'app.kubernetes.io/name',
  'app.kubernetes.io/instance',
  'app.kubernetes.io/managed-by',
  'pod-template-hash',
  'controller-revision-hash',
];
/** Annotations with the effect of a field of the security context. */
const securityAnnotations = ['container.apparmor.security.beta.kubernetes.io/'];

const celList = (names: readonly string[]) => `[${names.map((name) => `'${name}'`).join(', ')}]`;

/** Names and prefixes, and whether a name is one of them, in CEL and here. */
function matcher(names: readonly string[], prefixes: readonly string[]) {
  return {
    cel: (variable: string) =>
      [
        ...(names.length > 0 ? [`${variable} in ${celList(names)}`] : []),
        ...prefixes.map((prefix) => `${variable}.startsWith('${prefix}')`),
      ].join(' || '),
    has: (name: string) => names.includes(name) || prefixes.some((prefix) => name.startsWith(prefix)),
  };
}

/** Refuses some keys of a map. @param advice why, and what to do instead */
export function freeKeys(names: readonly string[], prefixes: readonly string[], advice: string): Rule {
  const taken = matcher(names, prefixes);
  return {
    rule: `self.all(key, !(${taken.cel('key')}))`,
    message: `must not have such a key, ${advice}`,
    messageExpression: `'must not have key ' + self.filter(key, ${taken.cel('key')})[0] + ', ${advice}'`,
    holds: (map: Readonly<Record<string, string>>) => !Object.keys(map).some(taken.has),
  };
}

const another = 'which the operator or Kubernetes sets; choose another key';

/** The rules of `labels`. */
export function freeLabels({ labels = [] }: Reserved): readonly Rule[] {
  return [freeKeys([...templateLabels, ...labels], domains, another)];
}

/** The rules of `annotations`. */
export function freeAnnotations({ annotations = [] }: Reserved): readonly Rule[] {
  return [
    freeKeys(annotations, domains, another),
    freeKeys([], securityAnnotations, 'which is the earlier form of a field; set securityContext.appArmorProfile'),
  ];
}

/** The rules of the name of a variable. */
export function freeVariable({ env = [], envPrefixes = [] }: Reserved): readonly Rule[] {
  if (env.length + envPrefixes.length === 0) return [];
  const taken = matcher(env, envPrefixes);
  const start = envPrefixes.length > 0 ? [`or one that starts with ${envPrefixes.join(' or ')}`] : [];
  const names = [...env, ...start].join(', ');
  return [
    {
      rule: `!(${taken.cel('self')})`,
      message: `must not be a variable that the operator sets (${names}); choose another name`,
      holds: (name: string) => !taken.has(name),
    },
  ];
}

/** The rules of the name of a volume. */
export function freeVolume({ volumes = [], volumePrefixes = [] }: Reserved): readonly Rule[] {
  if (volumes.length === 0) return [];
  const taken = matcher(volumes, volumePrefixes);
  const names = [...volumes, ...volumePrefixes.map((prefix) => `${prefix}…`)].join(', ');
  return [
    {
      rule: `!(${taken.cel('self')})`,
      message: `must not be a volume of the operator (${names}); choose another name`,
      holds: (name: string) => !taken.has(name),
    },
  ];
}

/** The rules of the path of a mount. */
export function freePath({ mountPaths = [] }: Reserved): readonly Rule[] {
  if (mountPaths.length === 0) return [];
  return [
    {
      rule: `${celList(mountPaths)}.all(path, !(self + '/').startsWith(path + '/') && !(path + '/').startsWith(self + '/'))`,
      message: `must be apart from the folders that the operator mounts (${mountPaths.join(', ')}); choose another path, such as /models`,
      holds: (own: string) =>
        mountPaths.every((path) => !`${own}/`.startsWith(`${path}/`) && !`${path}/`.startsWith(`${own}/`)),
    },
  ];
}
