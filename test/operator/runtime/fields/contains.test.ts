import { describe, expect, it } from 'vitest';
import { contains } from '../../../../operator/runtime/fields/contains.js';
import { fieldSetOf } from '../../../../operator/runtime/fields/field-set.js';
import { configMap } from '../../../given.js';

/** A Pod of which one container is so. */
const pod = (container: object) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  spec: { containers: [{ name: 'main', ...container }] },
});
const policy = (rule: object) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  spec: { ingress: [rule] },
});
const front = { podSelector: { matchLabels: { role: 'front' } } };
const gadget = (spec: object) => ({ apiVersion: 'example.org/v1', kind: 'Gadget', spec });
const route = (rule: object, parent: object = { name: 'edge' }) => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'HTTPRoute',
  spec: { parentRefs: [parent], rules: [rule] },
});
const claims = (claim: object) => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  spec: { volumeClaimTemplates: [claim] },
});
const service = (selector: object) => ({ apiVersion: 'v1', kind: 'Service', spec: { selector } });

describe('an object covers what is wanted of it', () => {
  const many = Array.from({ length: 40 }, (_, index) => ({ name: `n${index}`, value: `${index}` }));
  const hostile = JSON.parse('{"__proto__":{"a":1},"constructor":"x"}') as object;
  it.each([
    { covered: true, when: 'it states it', has: { a: 1, b: [1, 2] }, wanted: { a: 1, b: [1, 2] } },
    { covered: true, when: 'it states more', has: { a: 1, b: { c: 1, d: 2 } }, wanted: { b: { c: 1 } } },
    { covered: false, when: 'a value differs', has: { a: 1 }, wanted: { a: 2 } },
    { covered: false, when: 'the type differs', has: { a: '1' }, wanted: { a: 1 } },
    { covered: false, when: 'a field is missing', has: {}, wanted: { a: 1 } },
    { covered: false, when: 'a record is missing', has: {}, wanted: { a: { b: 1 } } },
    { covered: true, when: 'an empty map or list was left out', has: {}, wanted: { nodeSelector: {}, b: [] } },
    { covered: false, when: 'an empty record is missing, which is a choice', has: {}, wanted: { emptyDir: {} } },
    {
      covered: false,
      when: 'there is another choice in its place',
      has: { kind: 'Pod', spec: { volumes: [{ name: 'tmp', hostPath: { path: '/etc' } }] } },
      wanted: { kind: 'Pod', spec: { volumes: [{ name: 'tmp', emptyDir: {} }] } },
    },
    { covered: true, when: 'nothing is wanted of a field', has: {}, wanted: { a: undefined } },
    { covered: false, when: 'a list has more items', has: { args: ['a', 'b'] }, wanted: { args: ['a'] } },
    { covered: false, when: 'a list is in another order', has: { args: ['a', 'b'] }, wanted: { args: ['b', 'a'] } },
    {
      covered: true,
      when: 'a list with keys has more items',
      has: pod({ env: [{ name: 'a' }, { name: 'b', value: '1' }] }),
      wanted: pod({ env: [{ name: 'b', value: '1' }] }),
    },
    {
      covered: true,
      when: 'a long list with keys is in another order, and has no records beside them',
      has: { apiVersion: 'v1', kind: 'Pod', spec: { volumes: [7, ...many.toReversed()] } },
      wanted: { apiVersion: 'v1', kind: 'Pod', spec: { volumes: many } },
    },
    {
      covered: false,
      when: 'a list with keys is in another order, which counts',
      has: pod({ env: [{ name: 'b' }, { name: 'a' }] }),
      wanted: pod({ env: [{ name: 'a' }, { name: 'b' }] }),
    },
    {
      covered: true,
      when: 'more items are among those of a list whose order counts',
      has: pod({ env: [{ name: 'c' }, { name: 'a' }, { name: 'd' }, { name: 'b' }] }),
      wanted: pod({ env: [{ name: 'a' }, { name: 'b' }] }),
    },
    {
      covered: false,
      when: 'the last item of a long list with keys differs',
      has: pod({ env: [...many.slice(0, -1), { name: 'n39', value: 'theirs' }] }),
      wanted: pod({ env: many }),
    },
    {
      covered: false,
      when: 'an item of a list with keys is missing',
      has: pod({ env: [{ name: 'a' }] }),
      wanted: pod({ env: [{ name: 'b' }] }),
    },
    {
      covered: false,
      when: 'an item of a list with keys differs',
      has: pod({ env: [{ name: 'a', value: '1' }] }),
      wanted: pod({ env: [{ name: 'a', value: '2' }] }),
    },
    {
      covered: true,
      when: 'a port has the default protocol',
      has: pod({ ports: [{ containerPort: 80, protocol: 'TCP' }] }),
      wanted: pod({ ports: [{ containerPort: 80 }] }),
    },
    {
      covered: false,
      when: 'a port has another protocol',
      has: pod({ ports: [{ containerPort: 80, protocol: 'UDP' }] }),
      wanted: pod({ ports: [{ containerPort: 80 }] }),
    },
    {
      covered: true,
      when: 'a quantity is spelled otherwise',
      has: pod({ resources: { requests: { cpu: '1', memory: '1Gi' } } }),
      wanted: pod({ resources: { requests: { cpu: '1000m', memory: '1024Mi' } } }),
    },
    {
      covered: true,
      when: 'a quantity is a number',
      has: pod({ resources: { limits: { gpu: '2' } } }),
      wanted: pod({ resources: { limits: { gpu: 2 } } }),
    },
    {
      covered: false,
      when: 'a quantity differs',
      has: pod({ resources: { limits: { cpu: '1' } } }),
      wanted: pod({ resources: { limits: { cpu: '2' } } }),
    },
    {
      covered: false,
      when: 'text only looks like a quantity',
      has: { data: { cpu: '1' } },
      wanted: { data: { cpu: '1000m' } },
    },
    {
      covered: false,
      when: 'a quantity is none',
      has: pod({ resources: { limits: { cpu: 'x' } } }),
      wanted: pod({ resources: { limits: { cpu: 'y' } } }),
    },
    {
      covered: false,
      when: 'a text of a ConfigMap is called like a quantity',
      has: configMap('a', { data: { storage: '1' } }),
      wanted: configMap('a', { data: { storage: '1000m' } }),
    },
    {
      covered: false,
      when: 'two items of one key are wanted, and one of them differs',
      has: pod({ ports: [{ containerPort: 80, name: 'a' }, { containerPort: 80, name: 'b' }] }), // biome-ignore format: a row
      wanted: pod({ ports: [{ containerPort: 80, name: 'a' }, { containerPort: 80, name: 'c' }] }), // biome-ignore format: a row
    },
    {
      covered: true,
      when: 'two items of one key are wanted, and are there',
      has: pod({ ports: [{ containerPort: 80, name: 'a' }, { containerPort: 80, name: 'b' }] }), // biome-ignore format: a row
      wanted: pod({ ports: [{ containerPort: 80, name: 'a' }, { containerPort: 80, name: 'b' }] }), // biome-ignore format: a row
    },
    {
      covered: false,
      when: 'a list of another kind has more items, though it is called like one with keys',
      has: gadget({ ports: [{ name: 'a', port: 1 }, { name: 'b', port: 2 }] }), // biome-ignore format: a row
      wanted: gadget({ ports: [{ name: 'a', port: 1 }] }),
    },
    {
      covered: false,
      when: 'a list of another kind is in another order',
      has: gadget({ env: [{ name: 'a' }, { name: 'b' }] }),
      wanted: gadget({ env: [{ name: 'b' }, { name: 'a' }] }),
    },
    {
      covered: false,
      when: 'an item of a list without keys states more',
      has: gadget({ doors: [{ name: 'a', open: true }] }),
      wanted: gadget({ doors: [{ name: 'a' }] }),
    },
    {
      covered: false,
      when: 'an item of a list without keys states more far below',
      has: gadget({ doors: [{ name: 'a', lock: { key: 'b', spare: 'c' } }] }),
      wanted: gadget({ doors: [{ name: 'a', lock: { key: 'b' } }] }),
    },
    {
      covered: false,
      when: 'a list in a list without keys has more items',
      has: policy({ from: [front], ports: [{ port: 80 }, { port: 22 }] }),
      wanted: policy({ from: [front], ports: [{ port: 80 }] }),
    },
    {
      covered: false,
      when: 'a peer lets in more',
      has: policy({ from: [{ ...front, namespaceSelector: {} }] }),
      wanted: policy({ from: [front] }),
    },
    {
      covered: true,
      when: 'the server states the protocol of a port',
      has: policy({ from: [front], ports: [{ port: 80, protocol: 'TCP' }] }),
      wanted: policy({ from: [front], ports: [{ port: 80 }] }),
    },
    {
      covered: false,
      when: 'somebody states another protocol of a port',
      has: policy({ from: [front], ports: [{ port: 80, protocol: 'UDP' }] }),
      wanted: policy({ from: [front], ports: [{ port: 80 }] }),
    },
    {
      covered: false,
      when: 'a selector selects less',
      has: service({ app: 'a', only: 'b' }),
      wanted: service({ app: 'a' }),
    },
    { covered: true, when: 'a selector is the same', has: service({ app: 'a' }), wanted: service({ app: 'a' }) },
    {
      covered: true,
      when: 'the server states what a route leaves out',
      has: route(
        {
          matches: [{ path: { type: 'PathPrefix', value: '/' } }],
          backendRefs: [{ group: '', kind: 'Service', name: 'a', port: 80, weight: 1 }],
        },
        { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'edge' },
      ),
      wanted: route({ backendRefs: [{ name: 'a', port: 80 }] }),
    },
    {
      covered: false,
      when: 'a route leads only some',
      has: route({ matches: [{ path: { type: 'PathPrefix', value: '/a' } }], backendRefs: [{ name: 'a' }] }),
      wanted: route({ backendRefs: [{ name: 'a' }] }),
    },
    {
      covered: true,
      when: 'the server states more of a claim',
      has: claims({
        ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data', creationTimestamp: null } },
        ...{
          spec: { resources: { requests: { storage: '1Gi' } }, volumeMode: 'Filesystem' },
          status: { phase: 'Pending' },
        },
      }),
      wanted: claims({ metadata: { name: 'data' }, spec: { resources: { requests: { storage: '1024Mi' } } } }),
    },
    {
      covered: true,
      when: 'others say more in the status',
      has: { ...gadget({}), status: { conditions: [{ type: 'Theirs' }, { type: 'Ready', status: 'True' }] } },
      wanted: { ...gadget({}), status: { conditions: [{ type: 'Ready', status: 'True' }] } },
    },
    { covered: true, when: 'keys are hostile', has: hostile, wanted: hostile },
    { covered: false, when: 'a hostile key is missing', has: {}, wanted: JSON.parse('{"__proto__":{"a":1}}') },
    { covered: false, when: 'a hostile key is inherited', has: {}, wanted: { toString: 'x' } },
    { covered: false, when: 'there is no object', has: undefined, wanted: { a: 1 } },
  ] as { covered: boolean; when: string; has: unknown; wanted: unknown }[])(
    'R17: $covered when $when',
    ({ covered, has, wanted }) => {
      expect(contains(has, wanted)).toBe(covered);
    },
  );
});

describe('two manifests have one shape', () => {
  it.each([
    { same: true, when: 'only values differ', a: { spec: { a: 1 } }, b: { spec: { a: 2 } } },
    { same: false, when: 'a field is missing', a: { a: 1, b: 1 }, b: { a: 1 } },
    {
      same: true,
      when: 'an item with the same keys differs',
      a: pod({ env: [{ name: 'a', value: '1' }] }),
      b: pod({ env: [{ name: 'a', value: '2' }] }),
    },
    {
      same: false,
      when: 'an item has another key',
      a: pod({ env: [{ name: 'a' }] }),
      b: pod({ env: [{ name: 'b' }] }),
    },
    {
      same: false,
      when: 'an item has another field',
      a: pod({ env: [{ name: 'a', value: '1' }] }),
      b: pod({ env: [{ name: 'a' }] }),
    },
    { same: false, when: 'a list without keys differs', a: { args: ['a'] }, b: { args: ['b'] } },
  ])('R18: $same when $when', ({ same, a, b }) => {
    expect(fieldSetOf(a) === fieldSetOf(b)).toBe(same);
  });
});
