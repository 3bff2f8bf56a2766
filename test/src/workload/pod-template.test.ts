import { describe, expect, test } from 'vitest';
import type { AlgorithmSpecInput, DatabaseSpecInput } from '../../../src/index.js';
import { renderedDatabase, renderedPod } from '../database/given-database.js';
import { commonTemplate } from '../given-pod-template.js';
import { only, type Rendered, renderedAlgorithm } from '../given-rendered.js';

type PodTemplate = NonNullable<AlgorithmSpecInput['podTemplate']> & NonNullable<DatabaseSpecInput['podTemplate']>;

/** The Pods of each kind with a template, and the name of the container that the template concerns. */
const kinds: readonly (readonly [kind: string, container: string, of: (template?: PodTemplate) => Rendered['spec']])[] =
  [
    [
      'Algorithm',
      'algorithm',
      (podTemplate) =>
        only(renderedAlgorithm('reco', { ...(podTemplate && { podTemplate }) }), 'Deployment')['spec'].template,
    ],
    ['Database', 'postgres', (podTemplate) => renderedPod({ ...(podTemplate && { podTemplate }) })],
  ];

describe.each(kinds)('a podTemplate of the kind %s', (_kind, container, of) => {
  const whole = of(commonTemplate);
  const plain = of();
  const containerIn = (pod: Rendered['spec']) =>
    pod.spec.containers.find(({ name }: { readonly name: string }) => name === container);

  test('keeps what the Pod has without it', () => {
    expect(whole).toMatchObject({
      metadata: plain.metadata,
      spec: {
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true },
      },
    });
    expect(whole.spec.serviceAccountName).toBe(plain.spec.serviceAccountName);
    for (const list of ['env', 'volumeMounts'])
      expect(containerIn(whole)[list], list).toEqual(expect.arrayContaining(containerIn(plain)[list] ?? []));
    expect(whole.spec.volumes).toEqual(expect.arrayContaining(plain.spec.volumes));
  });

  test('adds metadata', () => {
    const { labels, annotations } = commonTemplate;
    expect(whole.metadata).toMatchObject({ labels, annotations });
  });

  test.each([
    ['env', { name: 'A', value: 'b' }],
    ['env', { name: 'EMPTY' }],
    ['envFrom', { prefix: 'APP_', secretRef: { name: 's', optional: true } }],
    ['volumeMounts', { name: 'files', mountPath: '/files', readOnly: true }],
    ['volumeMounts', { name: 'scratch', mountPath: '/scratch', subPath: 'a/b' }],
  ])('adds to %s of its container: %j', (list, item) => {
    expect(containerIn(whole)[list]).toContainEqual(item);
    for (const other of whole.spec.containers.filter(({ name }: { readonly name: string }) => name !== container))
      expect(other[list] ?? []).not.toContainEqual(item);
  });

  test.each(commonTemplate.volumes.map(({ name }) => name))('adds the volume %s', (name) => {
    const isIt = (volume: { readonly name: string }) => volume.name === name;
    expect(whole.spec.volumes.find(isIt)).toMatchObject({ name });
  });

  test.each([
    ['nodeSelector', commonTemplate.nodeSelector],
    ['tolerations', [{ operator: 'Exists' }, { key: 'gpu', effect: 'NoExecute', tolerationSeconds: 0 }]],
    ['affinity', commonTemplate.affinity],
    ['priorityClassName', commonTemplate.priorityClassName],
    ['imagePullSecrets', commonTemplate.imagePullSecrets],
  ])('sets %s', (field, value) => {
    expect(whole.spec[field]).toEqual(value);
  });

  test('sets the security context of the Pod', () => {
    expect(whole.spec.securityContext).toMatchObject(commonTemplate.securityContext);
  });

  test('spreads its own Pods unless a constraint selects others', () => {
    const [stated, own] = whole.spec.topologySpreadConstraints.slice(-2);
    expect(stated).toEqual(commonTemplate.topologySpreadConstraints[0]);
    expect(own).toMatchObject(commonTemplate.topologySpreadConstraints[1] ?? expect.fail());
    const [before] = plain.spec.topologySpreadConstraints;
    expect(own.labelSelector).toEqual(before.labelSelector);
  });

  test('that is empty changes nothing', () => {
    const none = { labels: {}, env: [], volumes: [], volumeMounts: [], topologySpreadConstraints: [], affinity: {} };
    expect(JSON.stringify(sorted(of({ ...none, securityContext: {} })))).toBe(JSON.stringify(sorted(plain)));
  });
});

/** With sorted keys, whose order has no meaning. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, part]) => [key, sorted(part)]));
}

/** What no API server has checked is refused by the constructs too, instead of being lost. */
describe('without an API server', () => {
  test.each<readonly [message: string, template: object]>([
    ['podTemplate.labels: Invalid value: must not have such a key', { labels: { 'app.kubernetes.io/name': 'a' } }],
    [
      'podTemplate.annotations: Invalid value: must not have',
      { annotations: { 'reconstruct.dev/controlled-by': 'a' } },
    ],
    ['podTemplate.volumes[0].name: Invalid value: "tmp": must not be', { volumes: [{ name: 'tmp', emptyDir: {} }] }],
    ['podTemplate.volumes[0]: Invalid value: must have exactly one source', { volumes: [{ name: 'a' }] }],
    ['podTemplate.volumeMounts: Invalid value: must each name', { volumeMounts: [{ name: 'a', mountPath: '/a' }] }],
    [
      'podTemplate.volumeMounts[0].mountPath: Invalid value: "/tmp": must be apart',
      { volumes: [{ name: 'a', emptyDir: {} }], volumeMounts: [{ name: 'a', mountPath: '/tmp' }] },
    ],
    ['podTemplate.securityContext.runAsUser: Invalid value: 0: must not be 0', { securityContext: { runAsUser: 0 } }],
  ])('is refused: %s', (message, podTemplate) => {
    expect(() => renderedAlgorithm('reco', { podTemplate })).toThrow(message);
    if (!message.includes('runAsUser')) expect(() => renderedDatabase({ podTemplate })).toThrow(message);
  });

  test.each<readonly [message: string, spec: object]>([
    ['podTemplate.serviceAccountName: Invalid value: must not be set', { podTemplate: { serviceAccountName: 'a' } }],
    [
      'podTemplate.securityContext.fsGroup: Invalid value: must not be set',
      { podTemplate: { securityContext: { fsGroup: 1 } } },
    ],
    [
      'podTemplate.env[0].name: Invalid value: "PGDATA": must not be a variable',
      { podTemplate: { env: [{ name: 'PGDATA' }] } },
    ],
    [
      'podTemplate.topologySpreadConstraints: Invalid value: must not have the topologyKey of placement',
      {
        podTemplate: {
          topologySpreadConstraints: [
            { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway' },
          ],
        },
      },
    ],
  ])('a Database refuses: %s', (message, spec) => {
    expect(() => renderedDatabase(spec)).toThrow(message);
  });
});
