import { describe, expect, it } from 'vitest';
import { merged } from '../../../operator/runtime/fields/merge.js';
import { Deployment, type ObjectKind } from '../../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject, Manifest } from '../../../operator/runtime/kubernetes/object.js';
import type { Loose } from '../../given.js';
import type { GivenCluster } from './apply.contract.js';

const manager = 'reconstruct-contract';
const other = { manager: 'somebody-else' };

const NetworkPolicy: ObjectKind = {
  ...{ group: 'networking.k8s.io', version: 'v1', kind: 'NetworkPolicy', plural: 'networkpolicies', namespaced: true },
};
const Role: ObjectKind = {
  ...{ group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'Role', plural: 'roles', namespaced: true },
};
/** A kind that no controller writes. */
const PodTemplate: ObjectKind = {
  ...{ group: '', version: 'v1', kind: 'PodTemplate', plural: 'podtemplates', namespaced: true },
};

/** The part of the contract that is about zero values, which Go omits unless they are behind a pointer. */
export function zeroValuesContract(given: () => Promise<GivenCluster>): void {
  describe('a zero value', () => {
    it.each(['create', 'apply'] as const)(
      'R17 is omitted from the answer to %s, unless a pointer keeps it',
      async (verb) => {
        const { cluster, namespace } = await given();
        const { spec } = (await cluster[verb](Deployment, deployment(namespace), { manager })) as Loose;
        expect([spec.minReadySeconds, spec.replicas]).toEqual([undefined, 0]);
        expectPod(spec.template.spec);
      },
    );

    it('R17 is omitted from the answer to an update, unless a pointer keeps it', async () => {
      const { cluster, namespace } = await given();
      const before = await cluster.create(PodTemplate, podTemplate(namespace, { hostNetwork: true }), other);
      expect((before as Loose)['template'].spec.hostNetwork).toBe(true);
      const wish = podTemplate(namespace);
      const answer = await cluster.apply(PodTemplate, wish, { manager, whole: merged(before, wish) });
      expectPod((answer as Loose)['template'].spec);
      expect(await cluster.read(PodTemplate, { namespace, name: 'a' })).toEqual(answer);
    });

    it('R17 of a list that Go does not omit becomes null', async () => {
      const { cluster, namespace } = await given();
      const role = { ...named('Role', 'rbac.authorization.k8s.io/v1', namespace), rules: [] };
      expect(((await cluster.create(Role, role, { manager })) as Loose)['rules']).toBeNull();
    });

    it('R17 is omitted from the items of a list that is merged as a whole', async () => {
      const { cluster, namespace } = await given();
      const ingress = [{ from: [], ports: [{ port: 80 }] }];
      const policy = {
        ...named('NetworkPolicy', 'networking.k8s.io/v1', namespace),
        spec: { podSelector: {}, policyTypes: ['Ingress'], ingress },
      };
      const { spec } = (await cluster.create(NetworkPolicy, policy, { manager })) as Loose;
      expect(spec.podSelector).toEqual({});
      expect(Object.keys(spec.ingress[0])).toEqual(['ports']);
    });

    it('R18 is owned by its apply, though the object does not have it, and by no create', async () => {
      const { cluster, namespace } = await given();
      const applied = await cluster.apply(Deployment, deployment(namespace), { manager });
      expect(ownersOf(applied)).toEqual([`${manager} Apply`]);
      const created = await cluster.create(Deployment, deployment(namespace, 'b'), { manager });
      expect(ownersOf(created)).toEqual([]);
    });

    it.each(['create', 'apply'] as const)(
      'R18 of an apply removes the value of another manager after %s',
      async (verb) => {
        const { cluster, namespace } = await given();
        await cluster[verb](Deployment, deployment(namespace), { manager });
        const edit = [{ op: 'add', path: '/spec/minReadySeconds', value: 5 }] as const;
        const edited = await cluster.patch(Deployment, { namespace, name: 'a' }, edit, other);
        expect((edited as Loose)['spec'].minReadySeconds).toBe(5);
        expect(ownersOf(edited)).toEqual([`${other.manager} Update`]);
        const answer = await cluster.apply(Deployment, deployment(namespace), { manager });
        expect((answer as Loose)['spec'].minReadySeconds).toBeUndefined();
        expect(ownersOf(answer)).toEqual([`${manager} Apply`]);
      },
    );
  });
}

/** The managers that own `minReadySeconds`. */
function ownersOf({ metadata }: LiveObject): readonly string[] {
  const { managedFields } = metadata as unknown as { managedFields: readonly Loose[] };
  return managedFields
    .filter(({ fieldsV1 }) => (fieldsV1 as Loose)['f:spec']?.['f:minReadySeconds'])
    .map((entry) => `${entry['manager']} ${entry['operation']}`);
}

function named(kind: string, apiVersion: string, namespace: string, name = 'a') {
  return { apiVersion, kind, metadata: { name, namespace } };
}

const labels = { app: 'a' };
const volumes = [{ name: 'scratch', emptyDir: {} }];
const container = {
  ...{ name: 'main', image: 'a', env: [{ name: 'EMPTY', value: '' }] },
  securityContext: { runAsUser: 0, readOnlyRootFilesystem: false, capabilities: { drop: [] } },
};
const pod = {
  ...{ hostNetwork: false, nodeSelector: {}, tolerations: [], hostname: '' }, // omitted
  ...{ automountServiceAccountToken: false, securityContext: {}, containers: [container], volumes },
};
const template = { metadata: { labels }, spec: pod };

/** Of the fields of {@link pod}, those that are pointers. */
function expectPod({ containers, ...spec }: Loose): void {
  expect(spec).toMatchObject({ automountServiceAccountToken: false, securityContext: {}, volumes });
  const omitted = ['hostNetwork', 'nodeSelector', 'tolerations', 'hostname'];
  expect(Object.keys(spec).filter((field) => omitted.includes(field))).toEqual([]);
  expect(containers[0].env).toEqual([{ name: 'EMPTY' }]);
  expect(containers[0].securityContext).toEqual({ runAsUser: 0, readOnlyRootFilesystem: false, capabilities: {} });
}

function deployment(namespace: string, name?: string): Manifest {
  const spec = { selector: { matchLabels: labels }, template, replicas: 0, minReadySeconds: 0 };
  return { ...named('Deployment', 'apps/v1', namespace, name), spec } as Manifest;
}

function podTemplate(namespace: string, changes: object = {}): Manifest {
  return {
    ...named('PodTemplate', 'v1', namespace),
    template: { ...template, spec: { ...pod, ...changes } },
  } as Manifest;
}
