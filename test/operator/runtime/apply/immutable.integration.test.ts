import { describe, expect, test } from 'vitest';
import {
  ConfigMap,
  Deployment,
  Job,
  type ObjectKind,
  Pod,
  RoleBinding,
  Service,
  StatefulSet,
} from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import { allowRecreation } from '../../../../operator/runtime/rendering/object-policies.js';
import type { Loose } from '../../../given.js';
import { givenRealHouse, somebody } from '../given/real-house.js';
import { add, conditionOf, type Widget } from '../given/widgets.js';

/** A Widget of these tests becomes one object, whose fields are those of its spec. */
interface Given {
  readonly kind: ObjectKind;
  readonly field: string;
  readonly before: object;
  readonly after: object;
}

const pod = { restartPolicy: 'Never', containers: [{ name: 'main', image: 'main:1' }] };
const template = { metadata: { labels: { app: 'a', tier: 'a' } }, spec: pod };
const always = { ...template, spec: { ...pod, restartPolicy: 'Always' } };
const workload = (app: object, more: object = {}) => ({ selector: { matchLabels: app }, template: always, ...more });
const roleRef = (name: string) => ({ roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name } });
const otherJob = { ...template, spec: { ...pod, containers: [{ name: 'main', image: 'main:2' }] } };

const cases: readonly Given[] = [
  {
    kind: Deployment,
    field: 'spec.selector',
    before: { spec: workload({ app: 'a' }) },
    after: { spec: workload({ tier: 'a' }) },
  },
  {
    kind: StatefulSet,
    field: 'spec',
    before: { spec: workload({ app: 'a' }, { serviceName: 'a' }) },
    after: { spec: workload({ app: 'a' }, { serviceName: 'b' }) },
  },
  { kind: Job, field: 'spec.template', before: { spec: { template } }, after: { spec: { template: otherJob } } },
  {
    kind: ConfigMap,
    field: 'data',
    before: { immutable: true, data: { a: '1' } },
    after: { immutable: true, data: { a: '2' } },
  },
  { kind: RoleBinding, field: 'roleRef', before: roleRef('view'), after: roleRef('edit') },
];

const house = givenRealHouse({
  controller: () => ({
    owns: [Deployment, StatefulSet, Job, ConfigMap, RoleBinding, Pod, Service],
    conditions: {},
    assess: () => ({ conditions: {} }),
    desire: (scope, { resource }) => {
      const { metadata, spec } = resource as Widget & { spec: { object: Manifest; recreate: boolean } };
      const { apiVersion, kind, ...content } = spec.object;
      const object = add(scope, apiVersion, kind, metadata.name, content);
      if (spec.recreate) allowRecreation(object);
    },
  }),
});

describe('on a real API server', () => {
  for (const recreate of [false, true]) {
    test.each(cases)(
      `R20 $kind.kind, whose $field cannot be changed, recreation allowed: ${recreate}`,
      async (given) => {
        const { kind, field, before, after } = given;
        const name = `${kind.kind.toLowerCase()}-${recreate}`;
        const object = { apiVersion: kind.group ? `${kind.group}/${kind.version}` : 'v1', kind: kind.kind };
        const bring = (content: object) =>
          house().apply(name, { object: { ...object, ...content }, recreate } as Widget['spec']);
        await bring(before);
        await house().until(async () => (await house().condition(name, 'Ready')) === 'True Ready');
        const first = await house().read(kind, name);
        const { metadata } = await bring(after);
        const observed = async () => (await house().read(house().kind, name))?.['status']?.observedGeneration;
        await house().until(async () => (await observed()) === metadata.generation);
        if (recreate) await house().until(async () => (await house().condition(name, 'Ready')) === 'True Ready');
        const second = await house().read(kind, name);
        expect(second?.metadata.uid === first?.metadata.uid).toBe(!recreate);
        const said = conditionOf(await house().read(house().kind, name), 'Blocked');
        expect(said?.['message']).toEqual(
          recreate ? undefined : expect.stringContaining(`${kind.kind} ${name}: ${field} is immutable`),
        );
      },
    );
  }

  const bring = (name: string, object: object, metadata: object = {}) =>
    house().apply(name, { object, recreate: true } as unknown as Widget['spec'], metadata);
  const ready = (name: string) => house().until(async () => (await house().condition(name, 'Ready')) === 'True Ready');
  const at = (name: string) => ({ namespace: house().namespace, name });

  test('R17 R20 a Pod that the server completes is not recreated', async () => {
    const labels = { app: 'spread' };
    const spread = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', matchLabelKeys: ['app'] };
    const spec = { ...pod, topologySpreadConstraints: [{ ...spread, labelSelector: { matchLabels: { tier: 'a' } } }] };
    const object = { apiVersion: 'v1', kind: 'Pod', metadata: { ...at('pod'), labels }, spec };
    await bring('pod', object);
    await ready('pod');
    const first = await house().read(Pod, 'pod');
    expect(JSON.stringify(first)).toContain('matchExpressions'); // completed
    await bring('pod', object, { annotations: { again: '1' } });
    await ready('pod');
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect((await house().read(Pod, 'pod'))?.metadata.uid).toBe(first?.metadata.uid);
    await ready('pod');
  });

  test('R20 what somebody else changed into what cannot be changed back takes no object away', async () => {
    await bring('ports', {
      apiVersion: 'v1',
      kind: 'Service',
      spec: { selector: { app: 'a' }, ports: [{ port: 80 }] },
    });
    await ready('ports');
    const first = await house().read(Service, 'ports');
    const edits = [{ op: 'replace', path: '/spec/ports/0/port', value: 81 }] as const;
    await house().cluster.patch(Service, at('ports'), edits, somebody);
    await house().until(async () => (await house().condition('ports', 'Blocked')) === 'True ImmutableField');
    const said = conditionOf(await house().read(house().kind, 'ports'), 'Blocked');
    expect(said?.['message']).toContain('was changed by somebody and is immutable');
    expect((await house().read(Service, 'ports'))?.metadata.uid).toBe(first?.metadata.uid);
  });

  const container = {
    name: 'main',
    image: 'main:1',
    env: [
      { name: 'A', value: '1' },
      { name: 'B', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
    ],
    livenessProbe: { httpGet: { port: 80 } },
    volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
  };
  const spec = (type: string) => ({
    ...{ replicas: 0, selector: { matchLabels: { app: 'a' } }, strategy: { type } },
    template: {
      ...always,
      spec: { ...always.spec, containers: [container], volumes: [{ name: 'tmp', emptyDir: {} }] },
    },
  });
  const deployment = (type: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', spec: spec(type) });
  const first = '/spec/template/spec/containers/0';
  const replaced = (path: string, value: object) => [{ op: 'replace' as const, path, value }];

  test.each([
    {
      what: 'a variable',
      is: 'RollingUpdate',
      edits: replaced(`${first}/env/0`, { name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }),
    },
    { what: 'a reference', is: 'RollingUpdate', edits: replaced(`${first}/env/1`, { name: 'B', value: '1' }) },
    {
      what: 'a probe into an earlier one',
      is: 'RollingUpdate',
      edits: replaced(`${first}/livenessProbe`, { exec: { command: ['a'] } }),
    },
    { what: 'a probe', is: 'RollingUpdate', edits: replaced(`${first}/livenessProbe`, { tcpSocket: { port: 80 } }) },
    { what: 'the strategy', is: 'Recreate', edits: replaced('/spec/strategy', { type: 'RollingUpdate' }) },
    { what: 'nothing', is: 'RollingUpdate', edits: [], becomes: 'Recreate' },
    {
      what: 'an empty volume',
      is: 'Recreate',
      edits: replaced('/spec/template/spec/volumes/0', { name: 'tmp', hostPath: { path: '/etc' } }),
    },
    {
      what: 'it by kubectl apply',
      is: 'RollingUpdate',
      edits: [
        {
          op: 'add' as const,
          path: '/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration',
          value: '{}',
        },
      ],
      becomes: 'Recreate',
    },
  ])('R18 R20 what stands in the way goes, once somebody changed $what', async ({ what, is, edits, becomes = is }) => {
    const name = what.replaceAll(' ', '-');
    await bring(name, deployment(is));
    await ready(name);
    const stated = async () => {
      const { metadata, spec } = ((await house().read(Deployment, name)) ?? {}) as Partial<Loose>;
      const [{ env, livenessProbe }] = spec?.template.spec.containers ?? [{}];
      return {
        uid: metadata?.uid,
        type: spec?.strategy.type,
        env,
        httpGet: livenessProbe?.httpGet?.port,
        others: [livenessProbe?.tcpSocket, livenessProbe?.exec],
        volumes: spec?.template.spec.volumes,
      };
    };
    const before = await stated();
    if (edits.length > 0) await house().cluster.patch(Deployment, at(name), edits, somebody);
    await bring(name, deployment(becomes));
    await expect.poll(stated, { timeout: 120_000 }).toEqual({ ...before, type: becomes });
    await ready(name);
  });
});
