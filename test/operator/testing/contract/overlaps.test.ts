import { ApiObject } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { crossNamespace, shared } from '../../../../operator/runtime/controller/owned-kinds.js';
import {
  ClusterRole,
  ConfigMap,
  Deployment,
  NetworkPolicy,
  type ObjectKind,
  Pod,
  PodDisruptionBudget,
  Service,
} from '../../../../operator/runtime/kubernetes/kinds.js';
import type { ManifestMeta } from '../../../../operator/runtime/kubernetes/object.js';
import { type ControllerCase, controllerContract } from '../../../../operator/testing/index.js';
import { type Widget, widget, widgetController } from '../../runtime/given/widgets.js';

/** An object of a resource: its name and its content. */
interface Made {
  readonly kind: ObjectKind;
  readonly name?: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: object;
}

type Make = (resource: Widget) => readonly Made[];

const named = 'gives each resource its own objects and Pods';

/** Whether the contract holds of a controller that renders these objects. */
async function separation(make: Make, { owns, ...given }: Partial<ControllerCase> & { owns?: readonly ObjectKind[] }) {
  const kinds = [ConfigMap, Service, Deployment, Pod, PodDisruptionBudget, NetworkPolicy];
  const controller = widgetController({
    owns: owns ?? kinds,
    conditions: {},
    assess: () => ({ conditions: {} }),
    desire: (scope, { resource }) => {
      for (const { kind, name = resource.metadata.name, namespace, labels, spec } of make(resource as Widget)) {
        const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
        const metadata = { name, ...(namespace && { namespace }), ...(labels && { labels }) };
        new ApiObject(scope, `${kind.kind} ${name}`, { apiVersion, kind: kind.kind, metadata, ...(spec && { spec }) });
      }
    },
  });
  const checks = controllerContract(controller, { resource: widget('web'), edited: {}, ...given });
  await checks.find(({ name }) => name === named)?.holds();
}

const own = ({ metadata }: { metadata: ManifestMeta }) => ({ app: metadata.name });
const all = { app: 'servers' };
const pods = (labels: object) => ({ template: { metadata: { labels } } });
const servers = (labels: object): Made => ({
  kind: Deployment,
  spec: { selector: { matchLabels: labels }, ...pods(labels) },
});
const expression = (operator: string, values?: readonly string[]) => ({
  matchExpressions: [{ key: 'app', operator, ...(values && { values }) }],
});

describe('the contract finds two resources', () => {
  test.each<[when: string, finds: string, make: Make, owns?: readonly ObjectKind[]]>([
    ['with one name for all', 'both have ConfigMap team/settings', () => [{ kind: ConfigMap, name: 'settings' }]],
    [
      'with names that lose a dot',
      'both have ConfigMap team/web-2',
      ({ metadata }) => [{ kind: ConfigMap, name: metadata.name.replaceAll('.', '-') }],
    ],
    [
      'with names that lose their end',
      'both have ConfigMap team/web-xxx',
      ({ metadata }) => [{ kind: ConfigMap, name: metadata.name.slice(0, 63) }],
    ],
    [
      'with names that lack the namespace, where all namespaces meet',
      'both have ClusterRole.rbac.authorization.k8s.io web',
      () => [{ kind: ClusterRole }],
      [ClusterRole],
    ],
    [
      'with names that lack the namespace, in one namespace',
      'both have ConfigMap ingress/web',
      () => [{ kind: ConfigMap, namespace: 'ingress' }],
      [crossNamespace(ConfigMap)],
    ],
    [
      'whose Deployments select by one label',
      'spec.selector of Deployment.apps team/web-2 selects the Pods of Deployment.apps team/web',
      () => [servers(all)],
    ],
    [
      'whose Services select by one label',
      'spec.selector of Service team/web-2 selects the Pods of Deployment.apps team/web',
      (one) => [
        { kind: Service, spec: { selector: all } },
        { kind: Deployment, spec: { selector: { matchLabels: own(one) }, ...pods({ ...own(one), ...all }) } },
      ],
    ],
    [
      'whose Pods have one label',
      'spec.selector of Service team/web-2 selects the Pods of Pod team/web',
      () => [
        { kind: Service, spec: { selector: all } },
        { kind: Pod, labels: all },
      ],
    ],
    [
      'of which a budget counts all Pods',
      'spec.selector of PodDisruptionBudget.policy team/web-2 selects the Pods of Deployment.apps team/web',
      (one) => [servers(own(one)), { kind: PodDisruptionBudget, spec: { selector: {} } }],
    ],
    [
      'of which a policy isolates the Pods of all',
      'spec.podSelector of NetworkPolicy.networking.k8s.io team/web-2 selects the Pods of Deployment.apps team/web',
      (one) => [
        servers({ ...own(one), ...{ tier: 'web' } }),
        { kind: NetworkPolicy, spec: { podSelector: { matchLabels: { tier: 'web' } } } },
      ],
    ],
    [
      'of which one is named like a workload of the other',
      'spec.selector of Deployment.apps team/web-worker selects the Pods of Deployment.apps team/web-worker',
      (one) => [
        servers(own(one)),
        { ...servers({ app: `${one.metadata.name}-worker` }), name: `${one.metadata.name}-worker` },
      ],
    ],
    ...[
      expression('Exists'),
      expression('In', ['web', 'web-2']),
      expression('NotIn', ['api']),
      { matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] },
    ].map((selector): [string, string, Make] => [
      `whose selector is ${JSON.stringify(selector.matchExpressions[0])}`,
      'spec.selector of PodDisruptionBudget.policy team/web-2 selects the Pods of Deployment.apps team/web',
      (one) => [servers(own(one)), { kind: PodDisruptionBudget, spec: { selector } }],
    ]),
  ])('%s: %s', async (_, finds, make, owns) => {
    await expect(separation(make, { ...(owns && { owns }) })).rejects.toThrow(finds);
  });

  test('that are listed, and says what to do', async () => {
    const make: Make = () => [{ kind: ConfigMap, name: 'settings' }];
    const others = [widget('api')];
    await expect(separation(make, { others })).rejects.toThrow(
      /^team\/web and team\/api overlap: both have ConfigMap team\/settings; derive names, labels and selectors from /,
    );
  });
});

describe('the contract accepts two resources', () => {
  test.each<[when: string, make: Make, owns?: readonly ObjectKind[]]>([
    [
      'with their own names and selectors',
      (one) => [
        servers(own(one)),
        { kind: Service, spec: { selector: own(one) } },
        { kind: PodDisruptionBudget, spec: { selector: expression('In', [one.metadata.name]) } },
      ],
    ],
    ['with a Service without a selector', (one) => [servers(own(one)), { kind: Service, spec: { selector: {} } }]],
    [
      'with a policy for the whole namespace',
      (one) => [servers(own(one)), { kind: NetworkPolicy, spec: { podSelector: {} } }],
    ],
    ['that share an object on purpose', () => [{ kind: ConfigMap, name: 'settings' }], [shared(ConfigMap)]],
    ['with one label in several namespaces', ({ metadata }) => [servers({ app: metadata.name })]],
  ])('%s', async (_, make, owns) => {
    await separation(make, { ...(owns && { owns }) });
  });
});
