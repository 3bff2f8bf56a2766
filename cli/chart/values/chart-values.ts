import { allKinds } from '../../../crds/index.js';
import type { System } from '../../../operator/controllers/system.js';
import { metadataValues } from './metadata-values.js';
import { monitoringValues } from './monitoring-values.js';
import { imageValues, podValues } from './pod-values.js';
import { boolean, listOf, namespace, operatorName } from './schemas.js';
import type { ChartValue, DocumentedValue } from './value.js';

/** The values of the chart in the order of `values.yaml`, without `systems`. */
export const chartValues: readonly ChartValue[] = [
  {
    name: 'name',
    about:
      'Name of the operator, of its objects and of its Lease: a lower-case label of at most 40 characters, unique in the cluster. A change replaces all objects.',
    default: 'reconstruct',
    schema: operatorName,
    effect: { as: 'text', required: true, props: (mark) => ({ name: mark }) },
  },
  {
    name: 'namespaces',
    about:
      'Namespaces to watch, with permissions only there. They must exist. By default all namespaces, with a ClusterRole.',
    default: [],
    schema: listOf(namespace),
    effect: {
      as: 'each',
      props: (mark) => ({ watchNamespaces: [mark] }),
      expression: '$.Values.namespaces | uniq | sortAlpha',
    },
    together: ['gatewayProxies'],
  },
  {
    name: 'crds.install',
    about: 'Whether the release includes the CRDs of the systems, and roles for their users.',
    default: true,
    schema: boolean,
    effect: { as: 'switch', props: { installApi: false } },
  },
  {
    name: 'gatewayProxies',
    about:
      'Whether proxies of this package can serve the Gateways of the class `reconstruct`. The CRDs of the Gateway API must exist.',
    default: false,
    schema: boolean,
    effect: { as: 'switch', props: { gatewayProxies: true } },
  },
  ...imageValues,
  ...podValues,
  ...metadataValues,
  ...monitoringValues,
];

/** A value for each system. Each effect follows from the controllers of the system. */
export function systemValues(systems: readonly Pick<System, 'name' | 'controllers'>[]): readonly DocumentedValue[] {
  return systems.map(({ name, controllers }) => {
    const own = allKinds.filter(({ group, kind }) =>
      controllers.some((controller) => controller.kind.group === group && controller.kind.kind === kind),
    );
    return {
      name: `systems.${name}`,
      about: `Whether the operator reconciles ${own.map(({ kind }) => kind).join(', ')}, with the permissions and CRDs for it.`,
      default: true,
      schema: boolean,
    };
  });
}
