import { expect, it } from 'vitest';
import { withoutRefused } from '../../../../operator/runtime/fields/refused-fields.js';
import type { LiveObject, Manifest } from '../../../../operator/runtime/kubernetes/object.js';

const object = (spec: object) =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a', uid: 'u', resourceVersion: '1', labels: { a: '1' } },
    spec,
  }) as unknown as LiveObject;
const env = (...items: object[]) => ({ containers: [{ name: 'main', env: items }] });
const both = { name: 'A', value: '1', valueFrom: { fieldRef: {} } };

it.each([
  { refused: ['spec.a.b'], is: { a: { b: 1, c: 1 } }, wanted: { a: { c: 1 } }, becomes: { a: { c: 1 } } },
  {
    refused: ['spec.containers[0].env[1].valueFrom'],
    is: env({ name: 'B' }, both),
    wanted: env({ name: 'A', value: '1' }),
    becomes: env({ name: 'B' }, { name: 'A', value: '1' }),
  },
  { refused: ['spec.a[x.y]'], is: { a: { 'x.y': 1 } }, wanted: {}, becomes: { a: {} } },
  { refused: ['spec.a', 'spec.none.b', 'spec'], is: { a: 1 }, wanted: { b: 1 }, becomes: undefined },
  { refused: ['spec'], is: { a: 1 }, wanted: {}, becomes: undefined },
  { refused: ['spec.a'], is: { a: 1 }, wanted: { a: 1 }, becomes: undefined },
  { refused: ['spec.a', 'spec.b'], is: { a: 1, b: 1, c: 1 }, wanted: { a: 1 }, becomes: { a: 1, c: 1 } },
  {
    refused: ['spec.probe.tcpSocket'],
    is: { probe: { tcpSocket: {}, exec: {}, grpc: {}, more: {}, seconds: 1 }, exec: {} },
    wanted: { probe: { tcpSocket: {} } },
    becomes: { probe: { tcpSocket: {}, more: {}, seconds: 1 }, exec: {} },
  },
  {
    refused: ['spec.volumes[0].configMap'],
    is: {
      volumes: [
        { name: 'a', configMap: {}, hostPath: {} },
        { name: 'b', hostPath: {} },
      ],
    },
    wanted: { volumes: [{ name: 'a', configMap: {} }] },
    becomes: {
      volumes: [
        { name: 'a', configMap: {} },
        { name: 'b', hostPath: {} },
      ],
    },
  },
  {
    refused: ['spec.resources.requests'],
    is: { resources: { requests: { cpu: '2' }, limits: {} } },
    wanted: { resources: { requests: { cpu: '2' } } },
    becomes: undefined,
  },
  {
    refused: ['spec.containers[0].env[0].valueFrom'],
    is: env({ name: 'A', valueFrom: { fieldRef: {}, secretKeyRef: {} } }),
    wanted: env({ name: 'A', valueFrom: { fieldRef: {} } }),
    becomes: env({ name: 'A', valueFrom: { fieldRef: {} } }),
  },
  {
    refused: ['spec.containers[0].env[0].valueFrom'],
    is: env(both, { name: 'B', value: '1' }),
    wanted: env({ name: 'A', valueFrom: { fieldRef: {} } }),
    becomes: env({ name: 'A', valueFrom: { fieldRef: {} } }, { name: 'B', value: '1' }),
  },
  {
    refused: ['spec.p.exec'],
    is: { p: { exec: {}, grpc: {} } },
    wanted: { p: { exec: {}, grpc: {} } },
    becomes: undefined,
  },
  { refused: ['spec.b', 'spec.a', 'spec.c'], is: { a: 1, b: 1, c: 1 }, wanted: { a: 1 }, becomes: { a: 1 } },
  { refused: ['spec.a[0]'], is: { a: [1] }, wanted: { a: [1] }, becomes: undefined },
  {
    refused: ['spec.__proto__', 'spec.__proto__.toLocaleString', 'spec.constructor', 'metadata.labels', ''],
    is: { a: 1 },
    wanted: { a: 1 },
    becomes: undefined,
  },
  { refused: [], is: { a: 1 }, wanted: { a: 1 }, becomes: undefined },
])('R18 without what is refused, $refused, an object is $becomes', ({ refused, is, wanted, becomes }) => {
  const whole = object(is);
  const before = structuredClone(whole);
  const wish = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: wanted } as Manifest;
  expect(withoutRefused(whole, wish, refused)).toEqual(becomes && object(becomes));
  expect(whole).toEqual(before);
  expect(Object.hasOwn(Object.prototype, 'toLocaleString')).toBe(true);
});

it('R34 looks at no more than a hundred fields of a refusal', () => {
  const refused = Array.from({ length: 200 }, (_, at) => `spec.f${at}`);
  const whole = object(Object.fromEntries(refused.map((field) => [field.slice('spec.'.length), 1])));
  const rest = withoutRefused(whole, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } }, refused);
  expect(Object.keys((rest as LiveObject & { spec: object }).spec)).toHaveLength(100);
});
