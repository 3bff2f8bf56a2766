import { withinNamespaces } from '../../../operator/process/run-operator.js';
import type { Controller } from '../../../operator/runtime/controller/controller.js';
import type { LiveDeployment } from '../../../operator/runtime/kubernetes/kinds.js';
import type { ObjectName } from '../../../operator/runtime/kubernetes/object.js';

/** Namespace and name of an operator, of its Deployment and its ServiceAccount. */
export interface Place {
  readonly namespace: string;
  readonly name: string;
}

/** The Deployment of an operator. */
export interface OperatorDeployment extends LiveDeployment {
  readonly spec: LiveDeployment['spec'] & {
    readonly template?: {
      readonly spec?: { readonly serviceAccountName?: string; readonly containers?: readonly OperatorContainer[] };
    };
  };
}

interface OperatorContainer {
  readonly name: string;
  readonly image?: string;
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
}

/** What an installation runs. */
export interface InstalledOperator {
  /** The controllers that run, as far as this package or the given module has them. */
  readonly controllers: readonly Controller[];
  /** Names of other controllers. */
  readonly foreign: readonly string[];
  /** The watched namespaces. Empty for all. */
  readonly namespaces: readonly string[];
  /** Undefined if the operator elects no leader. */
  readonly lease: ObjectName | undefined;
  readonly serviceAccount: Place;
  /** Undefined if the Deployment has no container. */
  readonly image: string | undefined;
}

/** What a Deployment runs, by the options of its container. Without a Deployment, the defaults of `OperatorInstall`. */
export function installedOperator(
  deployment: OperatorDeployment | undefined,
  { namespace, name }: Place,
  known: readonly Controller[],
): InstalledOperator {
  const { serviceAccountName = name, containers = [] } = deployment?.spec.template?.spec ?? {};
  const container = containers.find((one) => one.name === 'operator') ?? containers[0];
  const option = (flag: string) => optionOf(flag, container);
  const names = listOf(option('controllers'));
  const namespaces = listOf(option('namespaces'));
  const selected = names.length === 0 ? known : known.filter((one) => names.includes(one.name));
  const isElected = container === undefined || !['false', undefined].includes(option('leader-elect'));
  return {
    controllers: withinNamespaces(namespaces, selected),
    foreign: names.filter((one) => !known.some((controller) => controller.name === one)),
    namespaces,
    lease: isElected
      ? { namespace: option('lease-namespace') ?? namespace, name: option('lease-name') ?? name }
      : undefined,
    serviceAccount: { namespace, name: serviceAccountName },
    image: container?.image,
  };
}

/** The value of an option: the last flag, or else the environment variable. A flag without a value is `true`. */
function optionOf(flag: string, { args = [], env = [] }: Pick<OperatorContainer, 'args' | 'env'> = {}) {
  const last = args.findLastIndex(
    (one) => one === `--${flag}` || one.startsWith(`--${flag}=`) || one === `--no-${flag}`,
  );
  const given = args[last];
  if (given === `--no-${flag}`) return 'false';
  if (given !== undefined && given !== `--${flag}`) return given.slice(flag.length + 3);
  const next = args[last + 1];
  if (given !== undefined) return next === undefined || next.startsWith('--') ? 'true' : next;
  return env.find(({ name }) => name === `RECONSTRUCT_${flag.toUpperCase().replaceAll('-', '_')}`)?.value;
}

function listOf(text = ''): readonly string[] {
  return text.split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim()]));
}
