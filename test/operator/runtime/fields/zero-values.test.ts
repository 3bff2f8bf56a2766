import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contains, driftOf } from '../../../../operator/runtime/fields/contains.js';
import { fieldText } from '../../../../operator/runtime/fields/field-path.js';
import { merged } from '../../../../operator/runtime/fields/merge.js';
import type { LiveObject, Manifest } from '../../../../operator/runtime/kubernetes/object.js';

/** An object of a kind: `apps/v1 Deployment`, or `v1 Pod`. */
const object = (type: string, content: object) => {
  const [apiVersion = '', kind = ''] = type.split(' ');
  return { apiVersion, kind, metadata: { name: 'a' }, ...content };
};
const deployment = (spec: object) => object('apps/v1 Deployment', { spec });
const pod = (spec: object) => object('v1 Pod', { spec });
const inContainer = (part: object) => pod({ containers: [{ name: 'main', ...part }] });
const configMap = (content: object) => object('v1 ConfigMap', content);
const role = (content: object) => object('rbac.authorization.k8s.io/v1 Role', content);
const binding = (subject: object) => object('rbac.authorization.k8s.io/v1 RoleBinding', { subjects: [subject] });
const budget = (spec: object) => object('policy/v1 PodDisruptionBudget', { spec });
const schema = (properties: object) =>
  object('apiextensions.k8s.io/v1 CustomResourceDefinition', {
    spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: { properties } } }] },
  });
const gadget = (content: object) => object('example.org/v1 Gadget', content);

interface Row {
  readonly when: string;
  readonly has: object;
  readonly wanted: object;
  /** @default [] */
  readonly drift?: readonly string[];
}

describe('an object is as desired', () => {
  it.each<Row>([
    { when: 'the server omits a number', has: deployment({}), wanted: deployment({ minReadySeconds: 0 }) },
    { when: 'it omits a flag', has: pod({}), wanted: pod({ hostNetwork: false, hostPID: false }) },
    { when: 'it omits a text', has: pod({}), wanted: pod({ hostname: '' }) },
    { when: 'it omits a list', has: pod({}), wanted: pod({ tolerations: [] }) },
    { when: 'it omits a map', has: pod({}), wanted: pod({ nodeSelector: {} }) },
    {
      when: 'it omits the empty value of a variable',
      has: inContainer({ env: [{ name: 'A' }] }),
      wanted: inContainer({ env: [{ name: 'A', value: '' }] }),
    },
    {
      when: 'it omits a field of an item of a list that is merged as a whole',
      has: binding({ kind: 'User', name: 'a' }),
      wanted: binding({ kind: 'User', name: 'a', namespace: '' }),
    },
    {
      when: 'it omits a field of a selector',
      has: budget({ selector: { matchLabels: { app: 'a' } } }),
      wanted: budget({ selector: { matchLabels: { app: 'a' }, matchExpressions: [] } }),
    },
    {
      when: 'it omits a field of a type that contains itself',
      has: schema({ a: { allOf: [{ not: {} }] } }),
      wanted: schema({ a: { allOf: [{ not: { description: '' } }] } }),
    },
    { when: 'it omits labels', has: configMap({}), wanted: { ...configMap({}), metadata: { name: 'a', labels: {} } } },
    { when: 'a list that the server does not omit is null', has: role({ rules: null }), wanted: role({ rules: [] }) },
    { when: 'an older server omits that list', has: role({}), wanted: role({ rules: [] }) },
    {
      when: 'the status is empty, because it is not part of the write',
      has: pod({}),
      wanted: { ...pod({}), status: {} },
    },
  ])('R17 if $when', ({ has, wanted }) => expectDrift({ has, wanted, drift: [] }));
});

describe('an object has the defaults of the items of a list that is merged as a whole', () => {
  const slice = (port: object) => object('discovery.k8s.io/v1 EndpointSlice', { ports: [{ port: 80, ...port }] });
  const job = (pattern: object) =>
    object('batch/v1 Job', {
      spec: { podFailurePolicy: { rules: [{ onPodConditions: [{ type: 'A', ...pattern }] }] } },
    });
  const policy = (rule: object) =>
    object('admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy', {
      spec: { matchConstraints: { resourceRules: [{ resources: ['pods'], ...rule }] } },
    });
  it.each<Row>([
    { when: 'of a port of an EndpointSlice', has: slice({ name: '', protocol: 'TCP' }), wanted: slice({}) },
    { when: 'of a condition of a failed Pod', has: job({ status: 'True' }), wanted: job({}) },
    { when: 'of a rule of an admission policy', has: policy({ scope: '*' }), wanted: policy({}) },
  ])('R17 which are no drift: $when', ({ has, wanted }) => expectDrift({ has, wanted, drift: [] }));

  it('R18 and any other value is', () => {
    expectDrift({ has: slice({ name: '', protocol: 'UDP' }), wanted: slice({}), drift: ['ports'] });
  });
});

describe('an object differs from its desired state', () => {
  it.each<Row>([
    {
      when: 'somebody sets a number that is omitted',
      has: deployment({ minReadySeconds: 5 }),
      wanted: deployment({ minReadySeconds: 0 }),
      drift: ['spec.minReadySeconds'],
    },
    {
      when: 'somebody sets a flag that is omitted',
      has: pod({ hostNetwork: true }),
      wanted: pod({ hostNetwork: false }),
      drift: ['spec.hostNetwork'],
    },
    {
      when: 'somebody sets the value of a variable that is empty',
      has: inContainer({ env: [{ name: 'A', value: 'b' }] }),
      wanted: inContainer({ env: [{ name: 'A', value: '' }] }),
      drift: ['spec.containers[main].env[A].value'],
    },
    {
      when: 'somebody adds a rule where there are none',
      has: role({ rules: [{ verbs: ['*'] }] }),
      wanted: role({ rules: [] }),
      drift: ['rules'],
    },
    {
      when: 'a number behind a pointer is missing',
      has: deployment({}),
      wanted: deployment({ replicas: 0 }),
      drift: ['spec.replicas'],
    },
    {
      when: 'a flag behind a pointer is missing',
      has: pod({}),
      wanted: pod({ automountServiceAccountToken: false }),
      drift: ['spec.automountServiceAccountToken'],
    },
    {
      when: 'a record behind a pointer is missing',
      has: pod({ volumes: [{ name: 'tmp' }] }),
      wanted: pod({ volumes: [{ name: 'tmp', emptyDir: {} }] }),
      drift: ['spec.volumes[tmp].emptyDir'],
    },
    {
      when: 'a selector behind a pointer is missing, which selects nothing',
      has: budget({}),
      wanted: budget({ selector: {} }),
      drift: ['spec.selector'],
    },
    {
      when: 'an empty text of a map is missing',
      has: configMap({ data: { b: '' } }),
      wanted: configMap({ data: { paused: '', b: '' } }),
      drift: ['data.paused'],
    },
    {
      when: 'an empty text of an annotation is missing',
      has: configMap({}),
      wanted: { ...configMap({}), metadata: { name: 'a', annotations: { note: '' } } },
      drift: ['metadata.annotations'],
    },
    {
      when: 'a custom resource has lost a zero value, because it keeps them',
      has: gadget({ spec: {} }),
      wanted: gadget({ spec: { paused: false, minReadySeconds: 0, hostname: '' } }),
      drift: ['spec.paused', 'spec.minReadySeconds', 'spec.hostname'],
    },
    {
      when: 'a list of a custom resource is null',
      has: gadget({ rules: null }),
      wanted: gadget({ rules: [] }),
      drift: ['rules'],
    },
    {
      when: 'a kind of another group has the name of one in Kubernetes',
      has: object('example.org/v1 Deployment', { spec: {} }),
      wanted: object('example.org/v1 Deployment', { spec: { minReadySeconds: 0 } }),
      drift: ['spec.minReadySeconds'],
    },
  ])('R18 if $when', expectDrift);
});

/** The three comparisons agree. */
function expectDrift({ has, wanted, drift = [] }: Pick<Row, 'has' | 'wanted' | 'drift'>): void {
  const [live, wish] = [has as LiveObject, wanted as Manifest];
  expect(driftOf(live, wish).map(fieldText)).toEqual(drift);
  expect(contains(live, wish)).toBe(drift.length === 0);
  if (drift.length === 0) expect(merged(live, wish)).toEqual(live);
  else expect(merged(live, wish)).not.toEqual(live);
}

it('R17 the list of omitted fields is that of the Kubernetes release of the test control plane', () => {
  const [, release = 'none'] =
    /^\s*k8s\.io\/kubernetes v(\d+\.\d+)\./m.exec(readFileSync('operator/testing/kubernetes/go.mod', 'utf8')) ?? [];
  const [first] = readFileSync('operator/runtime/fields/zero-values.ts', 'utf8').split('\n');
  expect(first, 'npm run fetch:zero-values').toContain(`of Kubernetes ${release}.`);
});
